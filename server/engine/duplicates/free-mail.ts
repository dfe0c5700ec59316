// Mail hosts that anyone can have an address at, so that two people with one of them need not know each other.
const hosts = `gmail.com googlemail.com outlook.com hotmail.com live.com msn.com hotmail.co.uk hotmail.fr hotmail.de hotmail.it
hotmail.es live.co.uk live.fr live.nl live.de outlook.de outlook.fr outlook.es outlook.it yahoo.com yahoo.co.uk yahoo.fr
yahoo.de yahoo.it yahoo.es yahoo.ca yahoo.com.br yahoo.com.au yahoo.co.jp yahoo.co.in ymail.com rocketmail.com aol.com
aol.de aim.com icloud.com me.com mac.com proton.me protonmail.com protonmail.ch pm.me tuta.io tutanota.com tutanota.de
fastmail.com fastmail.fm hey.com zoho.com mail.com email.com gmx.com gmx.net gmx.de gmx.at gmx.ch web.de t-online.de
freenet.de arcor.de mailbox.org posteo.de posteo.net online.de vodafone.de kabelmail.de aon.at chello.at bluewin.ch
hispeed.ch sunrise.ch orange.fr wanadoo.fr free.fr sfr.fr laposte.net neuf.fr bbox.fr numericable.fr libero.it virgilio.it
tiscali.it alice.it tin.it aruba.it pec.it telefonica.net terra.es movistar.es ono.com sapo.pt ziggo.nl kpnmail.nl
planet.nl home.nl xs4all.nl hetnet.nl skynet.be telenet.be proximus.be btinternet.com sky.com virginmedia.com talktalk.net
ntlworld.com blueyonder.co.uk eircom.net wp.pl o2.pl onet.pl onet.eu interia.pl interia.eu gazeta.pl op.pl vp.pl poczta.fm
seznam.cz centrum.cz email.cz post.cz azet.sk zoznam.sk freemail.hu citromail.hu abv.bg mail.bg mail.ru yandex.ru yandex.com
ya.ru bk.ru inbox.ru list.ru rambler.ru ukr.net i.ua meta.ua telia.com comhem.se spray.se online.no getmail.no kolumbus.fi
elisanet.fi mail.dk sol.dk jubii.dk inbox.lv one.lt comcast.net verizon.net att.net sbcglobal.net bellsouth.net cox.net
charter.net earthlink.net juno.com optonline.net rogers.com bell.net shaw.ca sympatico.ca telus.net bigpond.com optusnet.com.au
xtra.co.nz uol.com.br bol.com.br terra.com.br ig.com.br globo.com hotmail.com.br hotmail.com.mx prodigy.net.mx qq.com 163.com
126.com sina.com sina.cn foxmail.com naver.com daum.net hanmail.net nate.com docomo.ne.jp ezweb.ne.jp softbank.ne.jp
rediffmail.com walla.co.il walla.com mynet.com`

export const freeMail = new Set(hosts.split(/\s+/))
