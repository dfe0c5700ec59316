// Pairs of records from ten countries, and what a careful colleague would say of each: the same (certain or likely), or not.
// After the name: @organization, an address, +phone, #city, *birthday, ~domain. `c` are companies, the others people.
import type { Facts, Likeness } from './compare.ts'

export type Pair = { a: Facts; b: Facts; isCompany: boolean; expected: Likeness; text: string }

const lists = {
  Germany: `
Anna Müller anna.mueller@nordwind.de | Anna Mueller anna.mueller@nordwind.de | certain
Dr. Anna Müller @nordwind ~nordwind.de | Müller, Anna @nordwind ~nordwind.de | likely
Hans-Peter Weiß @kraft +4930111 | Hans Peter Weiss @kraft +4930111 | certain
Johannes Schröder @kraft | Hans Schroeder @kraft | likely
Sabine Krause @kraft sabine.krause@kraft.de +4930222 | Sabine Lehmann @kraft +4930222 | likely
Lena Vogel @zwilling *1991-05-04 +4940777 | Lisa Vogel @zwilling *1991-05-04 +4940777 | different
Thomas Schmidt #Berlin | Thomas Schmidt #München | different
Thomas Schmidt @kraft thomas.schmidt@kraft.de | Thomas Schmidt @kraft t.schmidt2@kraft.de | different
Jürgen Groß juergen.gross@gmail.com | Jürgen Gross juergengross@gmail.com | certain
Katharina Bauer kbauer@web.de | Kathrin Bauer kbauer@web.de | certain
Petra Wolf info@wolf-bau.de | Klaus Wolf info@wolf-bau.de | different
Petra Wolf info@wolf-bau.de +498955 | Petra Wolf info@wolf-bau.de +498955 | certain
Michael Braun @acme | Michael Baum @acme | different
Michael Braun @acme | M. Braun @acme | likely
Prof. Dr. Ute Klein @uni | Ute Klein @uni | likely
Stefan Neumann @acme | Stephan Neumann @acme | likely
Stefan Neumann @acme | Stefanie Neumann @acme | different
Familie Becker familie.becker@gmx.de Becker | Tom Becker familie.becker@gmx.de | likely
Karl Richter *1970-01-01 #Köln | Karl Richter *1988-02-03 #Köln | different
Uwe Hoffmann +4922199 | Uwe Hofmann +4922199 | likely
Christine Schäfer cs@schaefer.de | Tina Schäfer cs@schaefer.de | certain
Wolfgang Zimmermann @acme | Wolf Zimmermann @acme | likely
Sebastian König seb@koenig.de | Basti König seb+crm@koenig.de | likely
c Nordwind Logistik GmbH ~nordwind.de | Nordwind Logistik ~nordwind.de | certain
c Kraft & Söhne GmbH & Co. KG #Bremen | Kraft und Söhne #Bremen | likely
c Müller Maschinenbau AG ~mueller-ag.de | Mueller Maschinenbau ~mueller-ag.de | certain
c Bäckerei Schulz #Berlin | Bäckerei Schulz #Hamburg | different
c Bayerische Motoren Werke ~bmw.de | BMW AG ~bmw.de | certain
c Deutsche Bank AG ~db.com | Deutsche Bahn AG ~bahn.de | different
c Siemens Energy ~siemens-energy.com | Siemens Healthineers ~siemens-healthineers.com | different`,
  France: `
Jean Dupont jean.dupont@orange.fr | Jean Dupont jean.dupont@orange.fr | certain
Jean-Pierre Dubois @carrefour | Jean Pierre Dubois @carrefour | likely
François Lefèvre @bnp ~bnp.fr | Francois Lefevre @bnp ~bnp.fr | likely
Marie Martin @renault +33144 | Marie Bernard @renault +33144 | likely
Mme Claire Petit @edf | Claire Petit @edf | likely
Hélène Moreau helene.moreau@gmail.com | Hélène Moreau helenemoreau@gmail.com | certain
Benoît Roux b.roux@free.fr | Benoit Roux b.roux@free.fr | certain
Pierre Laurent #Paris | Pierre Laurent #Lyon | different
Pierre Laurent @total | Pauline Laurent @total | different
Sophie Garnier @total *1985-03-03 | Sophie Garnier @total *1985-03-03 | certain
Louis Faure +33155 | Luc Faure +33155 | different
Étienne Blanc @axa | Stéphane Blanc @axa | different
Julie Fontaine @axa julie.fontaine@axa.fr | Julie Fontaine @axa jfontaine@axa.fr | different
Chloé Girard contact@girard.fr | Marc Girard contact@girard.fr | different
Nathalie Chevalier @sncf | Natalie Chevalier @sncf | likely
Mathieu Lambert mathieu@lambert.fr | Matthieu Lambert mathieu@lambert.fr | certain
Catherine Bonnet cb@bonnet.fr | Kate Bonnet cb@bonnet.fr | certain
Michel Durand @michelin +33473 | Michael Durand @michelin +33473 | certain
Camille Mercier @oreal | Camille Mercier-Roche @oreal | likely
Antoine Leroy @oreal | Antoine Le Roy @oreal | likely
Jacques Perrin @ccf | Jacques Perrot @ccf | different
Élodie Robin @ccf ~ccf.fr | Elodie Robin ~ccf.fr | likely
Guillaume Henry g.henry@sfr.fr | William Henry g.henry@sfr.fr | certain
c Société Générale SA ~sg.fr | Societe Generale ~sg.fr | certain
c Boulangerie Dupain SARL #Lyon | Boulangerie Dupain #Lyon | likely
c L'Oréal ~loreal.com | L’Oréal S.A. ~loreal.com | certain
c Café de la Paix #Paris | Café de la Paix #Nice | different
c Électricité de France ~edf.fr | EDF SA ~edf.fr | certain
c Michelin ~michelin.com +33473000 | Michelin Travel Partner ~michelin.com | certain
c Orange SA ~orange.com | Banque Orange ~orangebank.fr | different`,
  Spain: `
María García López maria.garcia@gmail.com | Maria Garcia mariagarcia@gmail.com | certain
José Luis Fernández @telefonica | Jose Fernandez @telefonica | likely
José Pérez @inditex ~inditex.com | Pepe Pérez @inditex ~inditex.com | likely
Francisco Ruiz @repsol +34911 | Paco Ruiz @repsol +34911 | certain
Ana Martínez @iberia | Ana Martín @iberia | different
Carmen Sánchez carmen@sanchez.es | Carmen Sanchez carmen@sanchez.es | certain
Javier Gómez #Madrid | Javier Gómez #Sevilla | different
Javier Gómez Ortiz @acs | Javier Gómez @acs | likely
Sr. Manuel Torres @acs | Manuel Torres @acs | likely
Lucía Díaz @acs *1990-07-07 | Laura Díaz @acs *1990-07-07 | different
Ignacio Romero nacho@romero.es | Nacho Romero nacho@romero.es | certain
Ignacio Romero @acs | Nacho Romero @acs | likely
Isabel Navarro isa@navarro.es | Elisabeth Navarro isa@navarro.es | certain
Miguel Ángel Ramos @mapfre | Miguel Ramos @mapfre | likely
Pablo Serrano ventas@serrano.es | Elena Serrano ventas@serrano.es | different
Elena Molina @mapfre +34933 | Elena Vega @mapfre +34933 | likely
Antonio Blanco +34944 | Antonia Blanco +34944 | different
Raquel Suárez raquel.suarez@bbva.es @bbva | Raquel Suárez r.suarez@bbva.es @bbva | different
Jorge Castro @bbva | Jorge Castro @bbva *1980-01-01 | likely
Álvaro Delgado ad@delgado.es | Alvaro Delgado ad+hubspot@delgado.es | certain
Teresa Ortega @bbva | Tere Ortega @bbva | likely
Juan Carlos Rubio jcr@rubio.es | Juan C. Rubio jcr@rubio.es | certain
Marta Gil @ferrovial | Marta Gil @ferrovial | likely
c Telefónica S.A. ~telefonica.es | Telefonica ~telefonica.es | certain
c Bodegas Ramírez S.L. #Logroño | Bodegas Ramirez #Logroño | likely
c Panadería La Espiga #Madrid | Panadería La Espiga #Bilbao | different
c Grupo Ferrovial ~ferrovial.com | Ferrovial S.A. ~ferrovial.com | certain
c Banco Santander ~santander.com | Banco Sabadell ~bancsabadell.com | different
c El Corte Inglés ~elcorteingles.es | El Corte Ingles S.A. +34901 ~elcorteingles.es | certain
c Viajes Sol #Palma +34971 | Viajes Sol SL +34971 | certain`,
  Italy: `
Giuseppe Rossi @enel | Beppe Rossi @enel | likely
Giovanni Bianchi giovanni@bianchi.it | Gianni Bianchi giovanni@bianchi.it | certain
Maria Ferrari @fiat +39011 | Maria Conti @fiat +39011 | likely
Dott. Luca Esposito @fiat | Luca Esposito @fiat | likely
Francesca Romano francesca.romano@libero.it | Francesca Romano francesca.romano@libero.it | certain
Alessandro Colombo @eni ~eni.it | Alex Colombo @eni ~eni.it | likely
Andrea Ricci @eni | Andrea Rizzi @eni | different
Marco Marino #Roma | Marco Marino #Milano | different
Niccolò Greco @tim | Nicolo Greco @tim | likely
Chiara Bruno @tim *1992-09-09 +39022 | Sara Bruno @tim *1992-09-09 +39022 | different
Vincenzo Gallo vgallo@gmail.com | Enzo Gallo v.gallo@gmail.com | certain
Elisabetta Costa ec@costa.it | Elisa Costa ec@costa.it | certain
Paolo Fontana info@fontana.it | Rita Fontana info@fontana.it | different
Roberto Mancini @tim roberto.mancini@tim.it | Roberto Mancini @tim rmancini@tim.it | different
Stefano Barbieri @luxottica | Stefano Barbiero @luxottica | likely
Giulia Lombardi @luxottica | Julia Lombardi @luxottica | likely
Antonio De Luca @luxottica | Antonio Deluca @luxottica | likely
Davide Moretti +39033 | Davide Moreti +39033 | likely
Simona Leone @pirelli | Simone Leone @pirelli | different
Lorenzo Martini @pirelli | Renzo Martini @pirelli | different
Federico Galli f.galli@pirelli.it | Federico Galli f.galli@pirelli.it | certain
Matteo Testa @barilla | Mattia Testa @barilla | different
Cristina Serra cri@serra.it | Christina Serra cri@serra.it | certain
c Pirelli & C. S.p.A. ~pirelli.com | Pirelli ~pirelli.com | certain
c Trattoria da Mario #Firenze | Trattoria da Mario #Napoli | different
c Fratelli Barilla S.r.l. #Parma | Fratelli Barilla #Parma | likely
c Enel Energia ~enel.it | Enel SpA ~enel.it | certain
c Banca Intesa ~intesa.it | Banca Sella ~sella.it | different
c Officine Meccaniche Rossi ~omr.it | OMR ~omr.it | certain
c Luxottica Group ~luxottica.com | Luxotica ~luxottica.com | certain`,
  Poland: `
Katarzyna Wiśniewska kasia@wisniewska.pl | Kasia Wisniewska kasia@wisniewska.pl | certain
Małgorzata Nowak @orlen | Gosia Nowak @orlen | likely
Łukasz Kowalski @orlen ~orlen.pl | Lukasz Kowalski @orlen ~orlen.pl | likely
Jan Kowalski @orlen | Janina Kowalska @orlen | different
Agnieszka Wójcik @pko +48222 | Agnieszka Mazur @pko +48222 | likely
Piotr Zieliński piotr.zielinski@gmail.com | Piotr Zielinski piotrzielinski@gmail.com | certain
Paweł Kamiński #Warszawa | Paweł Kamiński #Kraków | different
Mgr inż. Tomasz Lewandowski @pko | Tomasz Lewandowski @pko | likely
Krzysztof Dąbrowski @lot | Krzysztof Dabrowski @lot | likely
Anna Kozłowska @lot *1980-02-02 | Anna Kozłowska @lot *1979-02-02 | different
Ewa Jankowska biuro@jankowska.pl | Adam Jankowski biuro@jankowska.pl | different
Michał Wojciechowski m.w@lot.pl | Mikael Wojciechowski m.w@lot.pl | certain
Barbara Krawczyk @lot | Basia Krawczyk @lot | likely
Grzegorz Piotrowski +48333 | Grzegorz Piotrowsky +48333 | likely
Elżbieta Grabowska ela@grabowska.pl | Elzbieta Grabowska ela@grabowska.pl | certain
Jerzy Pawłowski @allegro | George Pawlowski @allegro | likely
Stanisław Michalski @allegro | Stanisława Michalska @allegro | different
Marcin Król @allegro m.krol@allegro.pl | Marcin Król @allegro marcin.krol2@allegro.pl | different
Joanna Wieczorek @allegro | Joanna Wieczorek-Lis @allegro | likely
Andrzej Jabłoński aj@jablonski.pl | Andrzej Jablonski aj+1@jablonski.pl | certain
Monika Stępień @kghm +48444 | Marta Stępień @kghm +48444 | different
Rafał Majewski @kghm | Rafal Majewski @kghm | likely
Zofia Adamczyk zofia@adamczyk.pl | Sophie Adamczyk zofia@adamczyk.pl | certain
c Orlen S.A. ~orlen.pl | ORLEN ~orlen.pl | certain
c Piekarnia Nowak Sp. z o.o. #Gdańsk | Piekarnia Nowak #Gdańsk | likely
c Hurtownia Stal #Łódź | Hurtownia Stal #Poznań | different
c Żabka Polska ~zabka.pl | Zabka ~zabka.pl | certain
c Bank Pekao ~pekao.pl | Bank Millennium ~millennium.pl | different
c Polskie Linie Lotnicze ~lot.com | PLL ~lot.com | certain
c Meble Vox ~vox.pl +48611 | Vox Meble +48611 | certain`,
  Ukraine: `
Сергій Коваленко @kyivstar | Serhii Kovalenko @kyivstar | likely
Олена Шевченко olena@shevchenko.ua | Olena Shevchenko olena@shevchenko.ua | certain
Oleksandr Bondarenko @epam | Alexander Bondarenko @epam | likely
Oleksandr Bondarenko @epam | Oleksandra Bondarenko @epam | different
Володимир Ткаченко +38044 | Volodymyr Tkachenko +38044 | certain
Iryna Kravchenko @epam +38055 | Iryna Melnyk @epam +38055 | likely
Дмитро Олійник @epam ~epam.com | Dmytro Oliinyk @epam ~epam.com | likely
Andriy Lysenko @epam | Andrii Lysenko @epam | likely
Kateryna Polishchuk kp@gmail.com | Katya Polishchuk k.p@gmail.com | certain
Юлія Мороз @nova | Yulia Moroz @nova | likely
Ivan Marchenko #Kyiv | Ivan Marchenko #Lviv | different
Mykola Rudenko @nova *1975-01-01 | Mykola Rudenko @nova *1995-01-01 | different
Наталія Савченко nata@savchenko.ua | Natalia Savchenko nata@savchenko.ua | certain
Pavlo Klymenko @nova | Paul Klymenko @nova | likely
Tetiana Petrenko info@petrenko.ua | Oleh Petrenko info@petrenko.ua | different
Yevhen Kuzmenko @nova | Eugene Kuzmenko @nova | likely
Анна Гончар @nova +38066 | Alina Honchar @nova +38066 | different
Viktor Pavlenko @metinvest v.pavlenko@metinvest.ua | Viktor Pavlenko @metinvest viktor.p@metinvest.ua | different
Максим Сидоренко @metinvest | Maksym Sydorenko @metinvest | likely
Mikhail Ivanov @metinvest | Mykhailo Ivanov @metinvest | likely
Svitlana Boiko sb@boiko.ua | Svetlana Boyko sb@boiko.ua | certain
Oksana Tkachuk @metinvest | Oksana Tkachenko @metinvest | different
Roman Hrytsenko rh@hrytsenko.ua | Roman Gritsenko rh@hrytsenko.ua | certain
c Нова Пошта ~novaposhta.ua | Nova Poshta ~novaposhta.ua | certain
c Київстар ~kyivstar.ua | Kyivstar JSC ~kyivstar.ua | certain
c ТОВ Пекарня #Київ | ТОВ Пекарня #Одеса | different
c Metinvest Holding ~metinvest.com | Metinvest ~metinvest.com | certain
c Rozetka ~rozetka.ua | Prom ~prom.ua | different
c EPAM Systems Inc. ~epam.com | EPAM ~epam.com | certain
c Roshen #Vinnytsia +380432 | Roshen Corporation +380432 | certain`,
  'United States': `
Bob Smith @boeing | Robert Smith @boeing | likely
William Johnson wjohnson@gmail.com | Bill Johnson w.johnson@gmail.com | certain
Elizabeth Brown @ibm ~ibm.com | Liz Brown @ibm ~ibm.com | likely
Jennifer Davis @ibm +12125 | Jennifer Wilson @ibm +12125 | likely
John Smith #Boston | John Smith #Denver | different
John Smith @ibm john.smith@ibm.com | John Smith @ibm john.smith3@ibm.com | different
James T. Kirk @starfleet | James Kirk @starfleet | likely
Dr. Susan Miller, PhD @mit | Susan Miller @mit | likely
Michael Moore Jr. @mit | Michael Moore @mit | likely
Kevin Taylor @dell *1990-01-01 +13120 | Kyle Taylor @dell *1990-01-01 +13120 | different
Christopher Anderson chris@anderson.com | Chris Anderson chris@anderson.com | certain
Patricia Thomas sales@thomas.com | Frank Thomas sales@thomas.com | different
Matthew Jackson +14150 | Matt Jackson +14150 | certain
Katherine White kw@white.com | Kathy White kw+crm@white.com | certain
Joshua Harris @dell | Jonathan Harris @dell | different
Daniel Martin @dell | Daniela Martin @dell | different
Steven Thompson @dell | Stephen Thompson @dell | likely
Margaret Garcia @dell | Peggy Garcia @dell | likely
Mary-Jane Lewis @dell | Mary Jane Lewis @dell | likely
Ted Walker tw@walker.com | Theodore Walker tw@walker.com | certain
Amy Hall @nike amy.hall@nike.com | Amy Young @nike amy.young@nike.com | different
Gregory Allen @nike | Greg Allan @nike | likely
Li Wei @nike | Li Wen @nike | different
c International Business Machines ~ibm.com | IBM Corp. ~ibm.com | certain
c Acme, Inc. #Austin | ACME #Austin | likely
c Main Street Pizza #Austin | Main Street Pizza #Reno | different
c The Boeing Company ~boeing.com | Boeing ~boeing.com | certain
c First National Bank ~fnb.com | First Citizens Bank ~firstcitizens.com | different
c Procter & Gamble ~pg.com | Procter and Gamble Co. ~pg.com | certain
c Nike Inc. ~nike.com | Nikon Inc. ~nikon.com | different`,
  'United Kingdom': `
Sir Richard Hughes @virgin | Richard Hughes @virgin | likely
Kate Evans kate.evans@bt.co.uk | Catherine Evans kate.evans@bt.co.uk | certain
Jack Roberts @tesco | John Roberts @tesco | likely
Siân Williams @tesco | Sian Williams @tesco | likely
Sarah Jones @tesco +44207 | Sarah Clarke @tesco +44207 | likely
David Jones #London | David Jones #Cardiff | different
Paul O'Brien @tesco | Paul OBrien @tesco | likely
Fiona MacDonald @bp | Fiona Mac Donald @bp | likely
Emma Wright @bp *1993-03-03 | Ella Wright @bp *1993-03-03 | different
Harry Turner ht@turner.uk | Henry Turner ht@turner.uk | certain
Edward Cooper @bp | Ned Cooper @bp | likely
Tom Baker office@baker.uk | Jane Baker office@baker.uk | different
Andrew Hill andrew.hill@gmail.com | Andy Hill andrewhill@gmail.com | certain
Rebecca Ward @bp | Becky Ward @bp | likely
Oliver Green @bp o.green@bp.com | Oliver Green @bp oliver.green@bp.com | different
Simon Phillips +44161 | Simon Philips +44161 | likely
Alexandra King @hsbc | Alexander King @hsbc | different
Dave Lee @hsbc | David Lee @hsbc | likely
Charlotte Scott-Moore @hsbc | Charlotte Scott @hsbc | likely
Timothy Adams tim@adams.uk | Tim Adams tim@adams.uk | certain
Grace Bell @hsbc +44131 | Gareth Bell @hsbc +44131 | different
Victoria Shaw vs@shaw.uk | Vicky Shaw vs+news@shaw.uk | likely
Nick Fox @hsbc | Nicholas Fox @hsbc | likely
c Marks & Spencer plc ~mands.com | Marks and Spencer ~mands.com | certain
c British Telecommunications plc ~bt.com | BT Group ~bt.com | certain
c The Red Lion #York | The Red Lion #Bath | different
c Tesco Stores Limited ~tesco.com | Tesco PLC ~tesco.com | certain
c Barclays Bank ~barclays.co.uk | Lloyds Bank ~lloydsbank.co.uk | different
c J Sainsbury plc #London | Sainsbury #London | likely
c Rolls-Royce ~rolls-royce.com +44133 | Rolls Royce Holdings +44133 | certain`,
  Sweden: `
Björn Åkesson bjorn@akesson.se | Bjorn Akesson bjorn@akesson.se | certain
Åsa Öberg @volvo | Asa Oberg @volvo | likely
Lars Svensson #Malmö | Lars Svensson #Umeå | different
Anna Johansson @volvo +4631 | Anna Lindqvist @volvo +4631 | likely
Karl-Johan Nilsson @volvo | Karl Johan Nilsson @volvo | likely
Mats Eriksson mats@eriksson.se | Matthias Eriksson mats@eriksson.se | certain
Per Larsson @volvo | Pär Larsson @volvo | different
Kristina Persson kp@persson.se | Christina Persson kp@persson.se | certain
Erik Gustafsson @ericsson | Erik Gustavsson @ericsson | likely
Eva Pettersson @ericsson *1988-08-08 | Ewa Pettersson @ericsson *1988-08-08 | likely
Nils Jonsson @ericsson | Nina Jonsson @ericsson | different
Johan Jansson info@jansson.se | Sara Jansson info@jansson.se | different
Henrik Hansson @ericsson h.hansson@ericsson.se | Henrik Hansson @ericsson henrik.hansson@ericsson.se | different
Sofia Bengtsson sofia.bengtsson@gmail.com | Sophie Bengtsson sofiabengtsson@gmail.com | certain
Gunnar Lindberg +4640 | Gunnar Lindbergh +4640 | likely
Maja Lindström @ikea | Maja Lindstrom @ikea | likely
Olof Magnusson @ikea | Olle Magnusson @ikea | different
Helena Sandberg @ikea | Elena Sandberg @ikea | likely
Fredrik Berg @ikea | Fredrika Berg @ikea | different
Stefan Axelsson sa@axelsson.se | Staffan Axelsson sa@axelsson.se | likely
Elin Holm @ikea +4642 | Emil Holm @ikea +4642 | different
Ingrid Sjöberg @ikea | Ingrid Sjoberg @ikea | likely
Jan Nyström @saab | Jan Nystrom @saab | likely
c AB Volvo ~volvo.com | Volvo ~volvo.com | certain
c Telefonaktiebolaget Ericsson ~ericsson.com | Ericsson AB ~ericsson.com | certain
c Pizzeria Roma #Lund | Pizzeria Roma #Visby | different
c H & M Hennes & Mauritz AB ~hm.com | Hennes & Mauritz ~hm.com | certain
c Skandinaviska Enskilda Banken ~seb.se | SEB AB ~seb.se | certain
c Nordea Bank ~nordea.se | Swedbank ~swedbank.se | different
c Bygg Karlsson AB #Örebro | Karlsson Bygg #Örebro | likely`,
  Greece: `
Γιώργος Παπαδόπουλος @ote | Giorgos Papadopoulos @ote | likely
Μαρία Νικολάου maria@nikolaou.gr | Maria Nikolaou maria@nikolaou.gr | certain
Γιάννης Δημητρίου @ote +30210 | Giannis Dimitriou @ote +30210 | certain
Elena Georgiou @ote +30211 | Elena Vasiliou @ote +30211 | likely
Nikos Konstantinou #Athens | Nikos Konstantinou #Patras | different
Κώστας Ιωάννου @ote ~ote.gr | Kostas Ioannou @ote ~ote.gr | likely
Sofia Alexiou sofia.alexiou@gmail.com | Sofia Alexiou sofiaalexiou@gmail.com | certain
Dimitris Christou @ote | Dimitra Christou @ote | different
Anna Makri @eurobank *1991-01-01 +30222 | Eleni Makri @eurobank *1991-01-01 +30222 | different
Panagiotis Antoniou pa@antoniou.gr | Panos Antoniou pa@antoniou.gr | likely
Αλέξανδρος Πέτρου @eurobank | Alexandros Petrou @eurobank | likely
Vasilis Karagiannis info@karagiannis.gr | Rena Karagiannis info@karagiannis.gr | different
Christos Pappas @eurobank | Christos Papas @eurobank | likely
Eirini Lekka @eurobank e.lekka@eurobank.gr | Eirini Lekka @eurobank irini.lekka@eurobank.gr | different
Thanos Oikonomou @eurobank | Thanasis Oikonomou @eurobank | different
Georgia Samara +30231 | Georgia Samaras +30231 | likely
Stefanos Lazaridis @eurobank | Stephanos Lazaridis @eurobank | likely
Ioanna Spanou is@spanou.gr | Joanna Spanou is@spanou.gr | certain
Petros Michail @alpha | Petros Michael @alpha | likely
Katerina Zervou @alpha | Catherine Zervou @alpha | likely
Manolis Kritikos @alpha *1960-06-06 | Manolis Kritikos @alpha *1992-06-06 | different
Despina Vlachou dv@vlachou.gr | Despina Vlachou dv+gr@vlachou.gr | certain
Thodoris Raptis @alpha | Thodoris Raptis @alpha | likely
c ΟΤΕ Α.Ε. ~ote.gr | OTE ~ote.gr | certain
c Alpha Bank ~alpha.gr | Alfa Bank ~alpha.gr | certain
c Taverna Plaka #Athens | Taverna Plaka #Chania | different
c Eurobank Ergasias SA ~eurobank.gr | Eurobank ~eurobank.gr | certain
c Piraeus Bank ~piraeusbank.gr | Attica Bank ~atticabank.gr | different
c Public Power Corporation ~dei.gr | Δημόσια Επιχείρηση Ηλεκτρισμού ~dei.gr | likely
c Aegean Airlines ~aegeanair.com +30210355 | Aegean +30210355 | certain`,
}

function factsIn(text: string): Facts {
  const facts: Facts = { name: '', emails: [], phones: [], domains: [] }
  const name: string[] = []
  for (const word of text.trim().split(/\s+/)) {
    const rest = word.slice(1)
    if (word.startsWith('@')) facts.organization = rest
    else if (word.includes('@')) facts.emails.push(word)
    else if (/^\+\d/.test(word)) facts.phones.push(word)
    else if (word.startsWith('#')) facts.city = rest
    else if (/^\*\d/.test(word)) facts.birthday = rest
    else if (word.startsWith('~')) facts.domains.push(rest)
    else name.push(word)
  }
  return { ...facts, name: name.join(' ') }
}

export const pairs: Pair[] = Object.values(lists).flatMap((list) =>
  list
    .trim()
    .split('\n')
    .map((text) => {
      const isCompany = text.startsWith('c ')
      const [a = '', b = '', expected = ''] = text.replace(/^c /, '').split('|')
      return { a: factsIn(a), b: factsIn(b), isCompany, expected: expected.trim() as Likeness, text }
    }),
)
