// Mails that try to run, to load, to deceive or to leave their frame. HACK is a script that succeeds, LEAK an address
// that must never be asked for.

export type HostileMail = { name: string; html: string }

const hack = "(top.hacked=(top.hacked||0)+1,top.document.title='hacked')"

/** `leak`: where the requests would arrive. */
export const hostileMails = (leak: string): HostileMail[] =>
  Object.entries({ ...scripts, ...addresses, ...mutations, ...requests, ...layouts, ...disguises }).map(
    ([name, html]) => ({
      name,
      html: html.replaceAll('HACK', hack).replaceAll('LEAK', `${leak}/${encodeURIComponent(name)}`),
    }),
  )

const scripts = {
  'a script': '<p>Hi</p><script>HACK</script>',
  'a script in capitals with a slash': '<SCRIPT/x>HACK</SCRIPT >',
  'a script inside of a script': '<scr<script>ipt>HACK</scr</script>ipt>',
  'a script from elsewhere': '<script src="LEAK/a.js"></script>',
  'a module': '<script type="module">HACK</script><script type="importmap">{"imports":{"a":"LEAK"}}</script>',
  'an image with an error': '<img src=x onerror=HACK>',
  'an image with an error and odd quotes': '<img src="x`" `<script>HACK</script>"` onerror="HACK">',
  'events of every kind':
    '<body onload=HACK onpageshow=HACK><p onmouseover=HACK onfocus=HACK tabindex=0 autofocus>x</p><details open ontoggle=HACK><summary>x</summary></details>',
  'an event after a slash': '<img/src=x/onerror=HACK><svg/onload=HACK>',
  'an event in an animation': '<p style="animation:a 1s" onanimationstart=HACK>x</p><marquee onstart=HACK>x</marquee>',
  'an attribute that ends the tag':
    '<a title="x" onmouseover=HACK x=">">x</a><p title=\'"><img src=x onerror=HACK>\'>x</p>',
  'a null in a name': '<scr\0ipt>HACK</scr\0ipt><img src=x on\0error=HACK>',
  'scripts in media': '<video onerror=HACK><source src=x></video><audio src=x onerror=HACK></audio><track onload=HACK>',
  'a frame with a document': `<iframe srcdoc="<script>HACK</script>"></iframe><iframe src="javascript:HACK"></iframe>`,
  'objects and embeds': '<object data="javascript:HACK"></object><embed src="javascript:HACK"><applet code=x></applet>',
  'a script in a document of data': '<iframe src="data:text/html,<script>HACK</script>"></iframe>',
}

const addresses = {
  'a javascript link': '<a href="javascript:HACK">Click</a>',
  'a javascript link in mixed case': '<a href="JaVaScRiPt:HACK">Click</a>',
  'a javascript link with entities': '<a href="&#106;&#x61;vascript&colon;HACK">Click</a>',
  'a javascript link with tabs and breaks':
    '<a href="java\tscr\nipt:HACK">Click</a><a href=" \x01javascript:HACK">Click</a>',
  'a javascript link behind a space':
    '<a href="\u00a0javascript:HACK">Click</a><a href="&#14;javascript:HACK">Click</a>',
  'a link to a document of data': '<a href="data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==">Click</a>',
  'links with other schemes':
    '<a href="vbscript:x">a</a><a href="blob:x">b</a><a href="file:///etc/passwd">c</a><a href="view-source:x">d</a>',
  'a link to ourselves':
    '<a href="/app/api/sign-out">a</a><a href="//evil.example/">b</a><a href="\\\\evil.example">c</a><a href="?x">d</a>',
  'an image of javascript':
    '<img src="javascript:HACK"><img src="vbscript:HACK"><img dynsrc="javascript:HACK" lowsrc="javascript:HACK">',
  'an image of SVG': '<img src="data:image/svg+xml;base64,PHN2Zy8+"><img src="data:image/svg+xml,<svg onload=HACK>">',
  'an image of a page':
    '<img src="data:text/html,<script>HACK</script>"><img src="data:image/png,x&quot; onerror=HACK">',
  'a content ID with a tag': '<img src="cid:&quot;><script>HACK</script>"><img src="cid:x&quot; onerror=&quot;HACK">',
  'a content ID that is an address':
    '<img src="cid:LEAK/cid"><img data-cid="x" data-remote="LEAK/own" src="cid:..%2f..%2fx">',
  'a link that pings': '<a href="https://example.com" ping="LEAK" download target="_top">Click</a>',
}

const mutations = {
  'a style that becomes a tag in SVG': '<svg><style><img src=x onerror=HACK></style></svg>',
  'a namespace of mathematics':
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=HACK&gt;"></mglyph></table></mtext></math>',
  'a form between namespaces':
    '<form><math><mtext></form><form><mglyph><svg><mtext><style><path id="</style><img onerror=HACK src>">',
  'a link in mathematics': '<math href="javascript:HACK"><mi xlink:href="javascript:HACK">Click</mi></math>',
  'an animated link':
    '<svg><a><animate attributeName=href values="javascript:HACK" /><text y=20>Click</text></a></svg>',
  'a script in SVG':
    '<svg><script>HACK</script><script href="data:,HACK" /><set attributeName=onmouseover to=HACK></svg>',
  'a foreign object': '<svg><foreignObject><iframe srcdoc="<script>HACK</script>"></iframe></foreignObject></svg>',
  'a use of another drawing':
    '<svg><use href="data:image/svg+xml;base64,PHN2ZyBpZD0neCcvPg==#x" /><image href="LEAK/svg"/></svg>',
  'noscript that becomes a tag': '<noscript><p title="</noscript><img src=x onerror=HACK>"></noscript>',
  'a template':
    '<template><script>HACK</script></template><template shadowrootmode=open><img src=x onerror=HACK></template>',
  'a text area that ends early': '<textarea><img title="</textarea><img src=x onerror=HACK>"></textarea>',
  'a title that ends early': '<title><a title="</title><img src=x onerror=HACK>"></title>',
  'old raw text':
    '<xmp><p title="</xmp><img src=x onerror=HACK>"></xmp><noembed><img title="</noembed><img src=x onerror=HACK>"></noembed><plaintext><img src=x onerror=HACK>',
  'comments that end early':
    '<!--><img src=x onerror=HACK>--><!---><img src=x onerror=HACK>--><!--a--!><img src=x onerror=HACK>-->',
  'comments inside of comments':
    '<!-- <!-- --> <img src=x onerror=HACK> --><![CDATA[><img src=x onerror=HACK>]]><? <img src=x onerror=HACK> ?>',
  'comments for Internet Explorer':
    '<!--[if gte IE 4]><script>HACK</script><![endif]--><![if !mso]><img src=x onerror=HACK><![endif]>',
  'tables that move what is in them':
    '<table><tr><script>HACK</script><img src=x onerror=HACK><td><table><caption><svg><tr><p><style><img src=x onerror=HACK>',
  'select and option': '<select><option><img src=x onerror=HACK></option><template><img src=x onerror=HACK></select>',
}

const requests = {
  'a picture from elsewhere':
    '<img src="LEAK/a.png" srcset="LEAK/b.png 2x" alt="x"><picture><source srcset="LEAK/c.png"><img src="//127.0.0.1:9/d.png"></picture>',
  'a pixel that counts readers':
    '<img src="LEAK/open.gif" width=1 height="1"><img src="LEAK/pixel.gif" style="width:1px;height:1px">',
  backgrounds:
    '<body background="LEAK/a"><table background="LEAK/b"><tr><td background="LEAK/c" style="background:url(LEAK/d)">x</td></tr></table>',
  'styles that load':
    '<p style="background-image:url(LEAK/a);list-style:url(LEAK/b);cursor:url(LEAK/c),auto;content:url(LEAK/d);border-image:url(LEAK/e)">x</p>',
  'styles that load in another spelling':
    '<p style="background:u\\72l(LEAK/a)">x</p><p style="background:URL(&quot;LEAK/b&quot;)">x</p><p style="background:image-set(&quot;LEAK/c&quot; 1x)">x</p><p style="background:/**/url(LEAK/d)">x</p>',
  'a style that imports':
    '<style>@import "LEAK/a.css";@import url(LEAK/b.css);</style><style>p{background:url(LEAK/c)}</style><p>x</p>',
  'a font from elsewhere':
    '<style>@font-face{font-family:x;src:url(LEAK/f.woff)}p{font-family:x}</style><p style="font-family:x;src:url(LEAK/g)">x</p>',
  'links that load':
    '<link rel=stylesheet href="LEAK/a.css"><link rel=prefetch href="LEAK/b"><link rel=preload as=image href="LEAK/c"><link rel=dns-prefetch href="//leak.example"><link rel=modulepreload href="LEAK/d">',
  'a page that forwards':
    '<meta http-equiv="refresh" content="0;url=LEAK"><meta http-equiv=refresh content="0; javascript:HACK">',
  'a policy of its own':
    '<meta http-equiv="content-security-policy" content="default-src *"><meta name=referrer content=unsafe-url><meta charset=utf-7>+ADw-script+AD4-HACK+ADw-/script+AD4-',
  'another base': '<base href="LEAK/" target="_top"><a href="x">Click</a><img src="y.png">',
  'media from elsewhere':
    '<video src="LEAK/v" poster="LEAK/p" autoplay></video><audio src="LEAK/a" autoplay></audio><iframe src="LEAK/i"></iframe><object data="LEAK/o"></object><embed src="LEAK/e">',
  'a form':
    '<form action="LEAK" method=post><input name=password value=x autofocus><button formaction="LEAK/b">Sign in</button><input type=image src="LEAK/i"></form>',
  'a manifest and old frames':
    '<html manifest="LEAK/m"><frameset><frame src="LEAK/f"></frameset><bgsound src="LEAK/b"><input type=image src="LEAK/c">',
}

const fixed = 'position:fixed;top:0;left:0;width:100vw;height:100vh;z-index:2147483647;background:red'
const layouts = {
  'a cover over everything': `<div style="${fixed}">Sign in again</div>`,
  'a cover by a style sheet': `<style>.c{${fixed}}</style><div class="c" id="content">Sign in again</div>`,
  'a cover with important rules': '<div style="position:absolute!important;inset:0;transform:scale(99)">x</div>',
  'a cover by margins': '<div style="margin:-5000px 0 0 -5000px;padding:5000px;width:99999px;height:9999999px">x</div>',
  'a popover and a dialog':
    '<div popover=manual id=p>x</div><dialog open style="width:100vw">x</dialog><button popovertarget=p>x</button>',
  'a table without end': `<table width=99999999 height=99999999><tr><td width="99999999px" colspan=999999999>${'x'.repeat(5000)}</td></tr></table>`,
  'a frame that grows with itself': '<div style="height:calc(100vh + 10px);min-height:101vh;max-height:110dvh">x</div>',
}

const disguises = {
  'names that hide functions':
    '<form name=body><input name=attributes><img name=cookie id=documentElement></form><a id=top name=top>x</a><img name=getElementById>',
  'text in the other direction': '<bdo dir=rtl>elpmaxe.live</bdo> <p dir="x onclick=HACK">moc.\u202eelpmaxe</p>',
  'letters that look like signs':
    '\uff1cscript\uff1eHACK\uff1c/script\uff1e <img src=x \u017fon\u0435rror=HACK> \ufeff<\u200bscript>HACK</script>',
  'a quote that hides a script':
    '<div class="gmail_quote"><div class=gmail_attr>On Monday wrote:</div><blockquote class="gmail_quote"><script>HACK</script><img src=x onerror=HACK></blockquote></div></details></main></body><script>HACK</script>',
  'ends of our own document':
    'Hi</main></body></html><script>HACK</script><body onload=HACK><div data-fold onclick=HACK><details open ontoggle=HACK>',
  'a thousand levels': `${'<div><b><a href="javascript:HACK"><table><tr><td>'.repeat(1000)}<script>HACK</script>`,
}
