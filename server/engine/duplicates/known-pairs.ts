// Pairs of records from many countries, 200 of them by people who did not know the rules, and what a careful colleague would
// say of each: the same (certain or likely), or not.
// After the name: @organization, an address, +phone, #city, *birthday, ~domain. `c` are companies, the others people.
import type { Facts, Likeness } from './compare.ts'
import { ownDomain } from './facts.ts'

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
  Netherlands: `
Pieter van der Veldkamp @dijkstaal p.vanderveldkamp@dijkstaal.nl +31612340981 | P. v.d. Veldkamp @dijkstaal +31612340981 | certain
Marieke de Boer-Hendriksen marieke.deboer@gmail.com #Zwolle | Marieke Hendriksen mariekedeboer@googlemail.com | certain
Sanne Kuipers @waterlinie sanne@waterlinie.nl +31302219870 | Sanne Kuiper @waterlinie +31302219870 | likely
Rijn, Jeroen van @oudewerf +31653300128 | Jeroen van Rijn @kadebouw +31653300128 | certain
c Bakkerij Ten Hove B.V. #Deventer ~tenhovebrood.nl | Ten Hove Brood ~www.tenhovebrood.nl | certain
Kees Terpstra +31513440012 #Heerenveen *1951-03-08 | Klaas Terpstra +31513440012 #Heerenveen *1979-11-20 | different
Jan de Vries #Groningen jan.devries@noordhout.nl | Jan de Vries #Breda j.devries@bredabouw.nl | different
Femke Visscher @zonnehof office@zonnehof.nl | Lotte Brinkman @zonnehof office@zonnehof.nl | different
Daan van den Heuvel @molenaar | Daan van den Hoek @molenaar daan.vandenhoek@molenaar.nl | different
c Van Dam Installaties B.V. #Gouda ~vandaminstallaties.nl | Van Dam Advies B.V. #Almere ~vandam-advies.nl | different
c Fietsenrijk Utrecht #Utrecht ~fietsenrijk.nl +31302450011 | Fietsenrijk Eindhoven #Eindhoven ~fietsenrijk.nl +31402450022 | different
c Noorderhaven Groep N.V. #Rotterdam ~noorderhavengroep.nl +31104410000 | Tideworks Sleepdienst B.V. #Rotterdam ~tideworks.nl +31104410000 | different`,
  Portugal: `
Maria João Seabra Pestana mj.pestana@tejoverde.pt | Maria Joao Pestana @tejoverde mj.pestana@tejoverde.pt | certain
Eng. Rui dos Santos Falcão @pontalto +351912004411 | Rui Falcao @pontalto +351912004411 | certain
Ana Luísa Mourato @salinas #Aveiro | Ana Mourato @salinas #Aveiro | likely
Catarina Vilhena @lisgraf +351934410022 | Catarina Vilhena Roquete @norgraf +351934410022 | likely
c Azulejos Quintela, Lda #Ovar ~azulejosquintela.pt | Azulejos Quintela ~loja.azulejosquintela.pt | certain
António Bragança #Braga +351253600114 *1948-06-13 | Antónia Bragança #Braga +351253600114 *1983-02-27 | different
João Ferreira @algarmar #Faro | João Ferreira @beirabosque #Viseu | different
Tiago Lameira @canteiro geral@canteiro.pt | Inês Valadas @canteiro geral@canteiro.pt | different
Sofia Marques @faialtec | Sofia Teles @faialtec | different
c Clínica Santa Clara #Évora ~clinicasantaclara-evora.pt | Clínica Santa Clara #Guarda ~stclaraguarda.pt | different
c Moinho Novo Setúbal #Setúbal ~moinhonovo.pt +351265500120 | Moinho Novo Coimbra #Coimbra ~moinhonovo.pt +351239500120 | different
c Atlanfer SGPS, S.A. #Lisboa ~atlanfer.pt | Ferrolinha Transportes, Lda #Lisboa ~ferrolinha.pt | different`,
  Brazil: `
José Carlos da Conceição Prates jc.prates@gmail.com | Zé Carlos Prates jcprates+feira@gmail.com | certain
Luiz Henrique Tavolaro @serrazul +5511988810023 | Luís Henrique Tavolaro @serrazul +5511988810023 | certain
Thaís Bittencourt @orlanet thais@orlanet.com.br | Tais Bitencourt @orlanet | likely
Dra. Fernanda Guimarães Lobo #Uberaba +5534977120045 | Fernanda Lobo +5534977120045 | certain
c Mercantil Ipê Roxo Comércio de Alimentos Ltda #Maringá ~iperoxo.com.br | Ipê Roxo ~iperoxo.com.br | certain
c Transportadora Gavião Ltda. #Londrina +554333210087 | Transportadora Gaviao #Londrina | likely
Paulo Sérgio Mendonça #Goiânia +556232240911 *1955-01-19 | Paulo Sérgio Mendonça Filho #Goiânia +556232240911 *1986-08-04 | different
Maria Aparecida da Silva #Recife +558133410020 | Maria Aparecida da Silva #Curitiba +554133410077 | different
Bruno Teixeira @luzviva contato@luzviva.com.br | Camila Arruda @luzviva contato@luzviva.com.br | different
Rafael Nogueira @pampasul rafael.nogueira@pampasul.com.br | Rafael Nunes @pampasul rafael.nunes@pampasul.com.br | different
c Drogaria Bem Estar Sorocaba #Sorocaba ~drogariabemestar.com.br | Drogaria Bem Estar Campinas #Campinas ~drogariabemestar.com.br | different
c Construtora Aroeira Ltda #Goiânia ~construtoraaroeira.com.br | Construtora Aroeira Branca Ltda #Natal ~aroeirabranca.eng.br | different`,
  Turkey: `
Gülşah Çağlayan gulsah.caglayan@denizay.com.tr | Gulsah Caglayan Gulsah.Caglayan@denizay.com.tr | certain
İbrahim Işıldak @karayel +905321144778 | IBRAHIM ISILDAK @karayel +905321144778 | certain
Ayşe Nur Tekinalp @ovakent | Aysenur Tekinalp @ovakent #Manisa | likely
Zeynep Korkmazer @atlasdis +905447781200 | Zeynep Korkmazer Ünlütaş @atlasdis +905447781200 | certain
c Yıldıztepe Makina Sanayi ve Ticaret A.Ş. #Eskişehir ~yildiztepemakina.com.tr | Yildiztepe Makina ~www.yildiztepemakina.com.tr | certain
Mehmet Sarıoğlan #Ankara +903123340056 *1949-10-01 | Mustafa Sarıoğlan #Ankara +903123340056 *1977-04-15 | different
Mehmet Yılmaz @marmaraiplik #Bursa | Mehmet Yılmaz @cukurtarim #Adana | different
Ebru Taşdelen @hisarmimarlik info@hisarmimarlik.com | Okan Bezirci @hisarmimarlik info@hisarmimarlik.com | different
Emre Aksungur @gokbora +902423310010 | Emre Bozdağlı @gokbora +902423310010 | different
c Anadolu Yapı Market #Konya ~anadoluyapimarket.com | Anadolu Yapı Denetim Ltd. Şti. #Sivas ~anayapidenetim.com.tr | different
c Simitçi Dede Kadıköy #İstanbul ~simitcidede.com | Simitçi Dede Alsancak #İzmir ~simitcidede.com | different
c Poyrazlar Holding A.Ş. #İzmir ~poyrazlar.com.tr | Egemar Lojistik A.Ş. #İzmir ~egemarlojistik.com | different`,
  'Sweden again': `
Karl-Johan Åkerbladh kj.akerbladh@nordgrus.se | Kalle Åkerblad kj.akerbladh@nordgrus.se | certain
Birgitta Sjöwallius @fjardgruppen +46705512309 | Gittan Sjowallius @fjardgruppen +46705512309 | certain
Linnéa Hagström @skogvik +46731100245 | Linnea Ödman Hagström @vattvik +46731100245 | likely
Lars-Erik Brännmark @timrakraft #Sundsvall | L-E Brännmark @timrakraft | likely
c Öhrns Plåtslageri AB #Gävle ~ohrnsplat.se | Öhrns Plåt ~ohrnsplat.se | certain
Sven Rosenlöf #Östersund +4663120044 *1946-05-17 | Svea Rosenlöf #Östersund +4663120044 *1948-09-02 | different
Anna Johansson #Malmö anna.johansson@hamnkaj.se | Anna Johansson #Luleå anna.j@norrkust.se | different
Viktor Sandgren @alvdata kontakt@alvdata.se | Ida Malmros @alvdata kontakt@alvdata.se | different
Erik Lindskoug @bergtorp erik@bergtorp.se | Erika Lindskoug @bergtorp erika@bergtorp.se | different
c Lundby Bygg AB #Göteborg ~lundbybygg.se | Lundby Bil AB #Göteborg ~lundbybil.se | different
c Kaffestugan Västerås #Västerås ~kaffestugan.se +4621330011 | Kaffestugan Örebro #Örebro ~kaffestugan.se +4619330022 | different
c Granfors Invest AB #Stockholm ~granforsinvest.se +46855011000 | Mälarpump Service AB #Stockholm ~malarpump.se +46855011000 | different`,
  'Czech Republic': `
Ing. Jiří Dvořáček, CSc. jiri.dvoracek@hradstav.cz | Jiri Dvoracek @hradstav jiri.dvoracek@hradstav.cz | certain
Kateřina Vlasáková @moravit +420604118230 | Katka Vlasáková @moravit +420604118230 | certain
Lenka Procházková Zelinková @lipador lenka.zelinkova@lipador.cz | Mgr. Lenka Zelinková @lipador | likely
Novotný Zbyněk @zelezarna +420722014488 | Zbyněk Novotny @sklopol +420722014488 | certain
c Pekařství U Jezu s.r.o. #Písek ~pekarstviujezu.cz | Pekarstvi u Jezu, spol. s r. o. ~www.pekarstviujezu.cz | certain
Miroslav Hrdlička #Plzeň +420377220145 | Miroslava Hrdličková #Plzeň +420377220145 | different
Jan Novák #Olomouc *1971-12-03 | Jan Novák #Liberec *1990-07-22 | different
Petra Šindelková @ateliermost info@ateliermost.cz | Radek Bartoň @ateliermost info@ateliermost.cz | different
Tomáš Kubíček @vodotech tomas.kubicek@vodotech.cz | Tomáš Kubeš @vodotech tomas.kubes@vodotech.cz | different
c Autoservis Král s.r.o. #Brno ~autoserviskral.cz | Autoservis Krátký s.r.o. #Brno ~autokratky.cz | different
c Lékárna Pod Kaštany Tábor #Tábor ~lekarnapodkastany.cz | Lékárna Pod Kaštany Jihlava #Jihlava ~lekarnapodkastany.cz | different
c Bohemka Group a.s. #Praha ~bohemkagroup.cz | Skelná huť Vrbno s.r.o. #Vrbno ~sklovrbno.cz | different`,
  Ireland: `
Siobhán Ní Mhaoláin siobhan.mullan@corribtech.ie | Siobhan Mullan @corribtech siobhan.mullan@corribtech.ie | certain
Pádraig Ó Conghaile @atlanticrope +353871120934 | Patrick Connolly @atlanticrope +353871120934 | likely
Bill O'Rafferty @lifftimber +353861100278 | William O’Rafferty @lifftimber +353861100278 | certain
Aoife McInerney-Walsh @shannonlab #Ennis | Aoife Walsh @shannonlab | likely
c Ballycarrick Dairy Co. Ltd #Mallow ~ballycarrickdairy.ie | Ballycarrick Dairy ~shop.ballycarrickdairy.ie | certain
Seán Hennigan Snr #Ennistymon +353657040021 *1944-02-11 | Seán Hennigan Jnr #Ennistymon +353657040021 *1975-05-30 | different
Mary Murphy #Cork | Mary Murphy #Sligo | different
Declan Foyle @burrenarch office@burrenarch.ie | Niamh Scully @burrenarch office@burrenarch.ie | different
Ciara Dolan @moyfoods ciara.dolan@moyfoods.ie | Ciara Doyle @moyfoods ciara.doyle@moyfoods.ie | different
c Celtic Roofing Ltd #Limerick ~celticroofing.ie | Celtic Flooring Ltd #Limerick ~celticflooring.ie | different
c The Copper Kettle Galway #Galway ~thecopperkettle.ie | The Copper Kettle Waterford #Waterford ~thecopperkettle.ie | different
c Ardmore Kingsley Holdings plc #Dublin ~ardmorekingsley.com | Tolka Freight Ltd #Dublin ~tolkafreight.ie | different`,
  India: `
Venkatasubramanian Raghunath Iyengar vr.iyengar@godavarisoft.in | V. R. Iyengar @godavarisoft vr.iyengar@godavarisoft.in | certain
Lakshmi Chidambaranathan @kaveritex +919840011276 | Laxmi Chidambaranathan @kaveritex +919840011276 | certain
Mohammed Irfan Qureishi @deccanmotors | Md. Irfan Qureshi @deccanmotors #Hyderabad | likely
Smt. Sunita Deshpandekar sunita.d.work@gmail.com | Sunita Kulkarnikar sunitadwork@gmail.com | certain
Sukhwinder Singh Dhaliwalia @malwaagro +919814400321 | S. S. Dhaliwalia @satlujseeds +919814400321 | likely
c Triveni Polymers Private Limited #Kanpur ~trivenipolymers.co.in | Triveni Polymers Pvt. Ltd. ~www.trivenipolymers.co.in | certain
Ramesh Patelkar #Vadodara +912652330144 *1962-01-26 | Rajesh Patelkar #Vadodara +912652330144 *1966-10-09 | different
Rahul Sharma #Jaipur +919414400012 | Rahul Sharma #Pune +919822200034 | different
Pooja Banerji @hooghlydesign info@hooghlydesign.in | Arvind Saxena @hooghlydesign info@hooghlydesign.in | different
Amit Kumar @yamunainfra amit.kumar@yamunainfra.in *1981-03-14 | Amit Kumar @yamunainfra amit.kumar2@yamunainfra.in *1994-09-05 | different
c Shree Ganesh Traders #Surat +912612440019 | Shree Ganesh Traders #Indore +917312440083 | different
c Annapurna Sweets Mysuru #Mysuru ~annapurnasweets.in | Annapurna Sweets Hubballi #Hubballi ~annapurnasweets.in | different`,
  Japan: `
山崎 健太郎 kentaro.yamazaki@minatogiken.co.jp | Kentaro Yamazaki @minatogiken kentaro.yamazaki@minatogiken.co.jp | certain
Yuko Ohnishi @sakuradenki +819012340056 | Yūko Ōnishi @sakuradenki +819012340056 | certain
Sato Junichi @hokutosoko | Jun'ichi Satō @hokutosoko | likely
渡邊 真由美 @aoyamaprint #京都 | 渡辺 真由美 @aoyamaprint | likely
c 株式会社みなと技研 #横浜 ~minatogiken.co.jp | Minato Giken K.K. ~www.minatogiken.co.jp | certain
高橋 一郎 #横浜 +81452330078 *1950-04-02 | 高橋 二郎 #横浜 +81452330078 *1953-11-18 | different
鈴木 誠 @hokkaimokuzai #札幌 | 鈴木 誠 @hakatabussan #福岡 | different
Haruka Tanabe @komorebi info@komorebi-sekkei.jp | Sho Morikawa @komorebi info@komorebi-sekkei.jp | different
Kenji Fujisaki @tokaiseimitsu kenji.fujisaki@tokaiseimitsu.co.jp | Kenji Fujisawa @tokaiseimitsu kenji.fujisawa@tokaiseimitsu.co.jp | different
c 株式会社東和工業 #名古屋 ~towakogyo.co.jp | 株式会社東和商事 #名古屋 ~towashoji.co.jp | different
c 麺屋はるかぜ 仙台店 #仙台 ~menya-harukaze.jp | 麺屋はるかぜ 広島店 #広島 ~menya-harukaze.jp | different
c 北辰ホールディングス株式会社 #大阪 ~hokushin-hd.co.jp | 株式会社ウミネコ物流 #大阪 ~umineko-logi.co.jp | different`,
  Mexico: `
María Guadalupe Zaragoza Tinoco lupita.zaragoza@cactusverde.mx | Lupita Zaragoza @cactusverde lupita.zaragoza@cactusverde.mx | certain
Lic. José Luis Arizmendi Peñaloza @textilnorte +528112340099 | Jose Luis Arizmendi @textilnorte +5218112340099 | certain
Francisco Bermúdez Olguín @altamar #Veracruz | Paco Bermúdez @altamar | likely
Ma. del Carmen de la Fuente Rentería +525533410078 | Carmen de la Fuente +525533410078 | likely
c Distribuidora El Nopalito, S.A. de C.V. #Celaya ~elnopalito.com.mx | El Nopalito ~elnopalito.com.mx | certain
Roberto Escandón Villicaña #Morelia +524433120056 *1988-01-07 | Rodrigo Escandón Villicaña #Morelia +524433120056 *1991-06-23 | different
Juan Hernández García #Puebla | Juan Hernández López #Mérida | different
Alejandra Montúfar @jacaranda ventas@jacarandaviveros.mx | Iván Carrasco @jacaranda ventas@jacarandaviveros.mx | different
Diana Ocampo @cumbrestech | Diana Robles @cumbrestech | different
c Aceros del Bajío, S.A. de C.V. #León ~acerosdelbajio.mx | Maderas del Bajío, S.A. de C.V. #León ~maderasdelbajio.mx | different
c Taquería La Comadre Toluca #Toluca ~lacomadre.mx | Taquería La Comadre Querétaro #Querétaro ~lacomadre.mx | different
c Grupo Industrial Sierra Alta, S.A.B. de C.V. #Monterrey ~sierraalta.com.mx | Empaques Colibrí, S. de R.L. de C.V. #Monterrey ~empaquescolibri.mx | different`,
  Austria: `
Mag. Johanna Pichlbauer @almwerk johanna.pichlbauer@almwerk.at | Pichlbauer Johanna johanna.pichlbauer@almwerk.at +436641908273 | certain
Christoph Haselgruber @donauholz +436765520184 | Christof Haselgruber @steyrtal +436765520184 | likely
Lukas Obermoser @bergquell lukas.o@bergquell.at | Lukas Hinterleitz @bergquell lukas.h@bergquell.at | different
Sabine Wieshofer-Kernbach @almwerk +436504471926 | Sabine Wieshofer @almwerk #Linz | likely
Franz Edlingseder sen. #Krems *1951-03-09 | Franz Edlingseder #Krems *1979-11-21 | different
Martina Grubauer @salzkontor office@salzkontor.at | Markus Grubauer @salzkontor office@salzkontor.at | different
c Steinfeldner Installationen GmbH #Graz ~steinfeldner-inst.at | Steinfeldner Installationen Ges.m.b.H. ~shop.steinfeldner-inst.at | certain
c Raffenthaler Lagerhaus #Tulln +43227255100 | Raffenthaler Lagerhaus #Horn +43298240120 | different`,
  Switzerland: `
Jean-Pierre Rochatel @lemanfin jp.rochatel@lemanfin.ch | J.-P. Rochatel #Lausanne jp.rochatel@lemanfin.ch | certain
Ursina Caduffner @engadinbau +41794412087 | Ursina Meier-Caduffner +41794412087 | certain
Reto Zgraggler @rigidruck #Luzern | Reto Zgragler @rigidruck | likely
Beat Hunzikofer @aarewerk +41627710000 | Brigitte Hunzikofer @aarewerk +41627710000 | different
Thomas Meier @zuerisicher thomas.meier@zuerisicher.ch | Thomas Meier @zuerisicher thomas.meier2@zuerisicher.ch +41445501288 | different
Andrea Gmünderli @saentisbau *1977-11-02 | Andreas Gmünderli @saentisbau *1974-05-30 | different
c Fontanazzi & Fils SA #Genève ~fontanazzi-fils.ch | Fontanazzi et Fils #Geneva ~fontanazzi-fils.ch | certain
c Alpinora Treuhand AG #Chur ~alpinora-treuhand.ch | Alpinora Treuhand GmbH #Thun ~alpinorathun.ch | different`,
  Canada: `
Katherine MacAllender @maplecrest kate@maplecrest.ca | Kate MacAllender kate+newsletter@maplecrest.ca +14165550138 | certain
Robert Thibodault @hydrolac #Trois-Rivières | Bob Thibodault @hydrolac | likely
Geneviève Larochelle-Simardin #Québec g.larochelle@boreaconseil.ca | Genevieve Larochelle @boreaconseil | likely
Sukhwinder Dhaliwar @prairielog +12045550177 | Sukhdev Dhaliwar @prairielog +12045550177 #Winnipeg | different
William Ostergard #Halifax *1948-02-10 | Bill Ostergard Jr #Halifax *1975-08-22 | different
Jennifer Wong @pacrimtrade jennifer.wong@pacrimtrade.ca | Jennifer Wang @pacrimtrade jennifer.wang@pacrimtrade.ca | different
c Northgable Lumber Ltd. #Kelowna ~northgablelumber.ca | Northgable Lumber Inc #Moncton ~northgable-lumber.com | different
c 8841207 Canada Inc. dba Tamarackle Bakery #Ottawa +16135550162 | Tamarackle Bakery #Ottawa +16135550162 | certain`,
  Australia: `
Elizabeth Hargrave-Poole @coralbay *1983-07-19 | Liz Hargrave #Cairns *1983-07-19 | likely
Dr Nguyen Thi Lan Anh @yarraclinic lananh.nguyen@yarraclinic.com.au | Lan Anh Nguyen lananh.nguyen@yarraclinic.com.au | certain
Shane Buckerfieldt @outbackrail +61412883907 | Shane Buckerfieldt @pilbaramin +61412883907 #Karratha | certain
Deb Carrowin #Hobart deb.carrowin@tasmail.com.au | Deborah Carrowin #Hobart debcarrowin@bigpost.com | likely
Tracey Mulhollen @wattlefoods +61298801200 tracey@wattlefoods.com.au | Stacey Mulhollen @wattlefoods +61298801200 stacey@wattlefoods.com.au | different
Michael Brown @swanport #Perth | Michael Brown @reefdive #Townsville | different
c Kookamurra Plumbing Pty Ltd #Ballarat ~kookamurraplumbing.com.au | Kookamurra Electrical Pty Ltd #Ballarat ~kookamurraelectrical.com.au | different
c Gum Grove Early Learning #Dubbo +61268840155 | Gumgrove Early Learning Pty Ltd #Dubbo | likely`,
  'South Africa': `
Thandiwe Mokhethi @karoowind thandiwe@karoowind.co.za | Thandi Mokhethi thandiwe@karoowind.co.za | certain
Johannes van der Westhoven @bosveldvleis +27828841093 | Hannes vd Westhoven +27828841093 | certain
Sipho Ndlovane @egolitrans #Johannesburg *1985-02-27 | Siphiwe Ndlovane @egolitrans #Johannesburg *1991-10-05 | different
Priya Govendar @umhlangalegal | Priya Govendar-Naidoon @umhlangalegal +27834406719 | likely
Pieter Bothmann #Stellenbosch info@bothmannwyn.co.za | Petro Bothmann #Stellenbosch info@bothmannwyn.co.za | different
Lerato Molefane @tshwaneit *1990-06-16 | L. Molefane @tshwaneit *1978-01-30 | different
c Drakenvlei Auto Spares CC #Paarl +27218630044 | Drakenvlei Auto Spares #Worcester +27233470091 | different
c Umlazana Paints (Pty) Ltd t/a ColourKraal #Durban ~colourkraal.co.za | ColourKraal ~www.colourkraal.co.za | certain`,
  Argentina: `
María Fernanda Albarracetti @pampasur mfalbarracetti@pampasur.com.ar | Fernanda Albarracetti mfalbarracetti+eventos@pampasur.com.ar | certain
Juan Ignacio Etchevarne @riocorp +5491148827391 | Nacho Etchevarne @logiplata +5491148827391 | likely
José Luis Bustamendi @molinera | Bustamendi Jose @molinera #Rosario | likely
Carlos Gómez @cuyovinos #Mendoza | Carlos Alberto Gómez @serranobus #Córdoba | different
Lucía Peraltani #Salta *1993-09-14 | Luciana Peraltani #Salta *1993-09-14 | likely
Gustavo Krugermann @andesgas recepcion@andesgas.com.ar | Graciela Krugermann @andesgas recepcion@andesgas.com.ar | different
c Ferretería El Tornillazo S.R.L. #Rosario +543414401177 | Ferreteria El Tornillazo SRL #Tucumán +543814226050 | different
c Transportes Quilmeral S.A. ~tquilmeral.com.ar +541142570088 | Transp. Quilmeral SA #Quilmes ~tquilmeral.com.ar | certain`,
  Romania: `
Ștefan Ciobăneanțu @carpatsoft stefan.ciobaneantu@carpatsoft.ro | Stefan Ciobaneantu @carpatsoft stefan.ciobaneantu@mail.carpatsoft.ro | certain
Ioana Dumitrășel @clujmedica +40744190283 | Ioana Dumitrasel-Vlăscean @clujmedica | likely
Popa Andrei @dunaport #Galați | Andrei Popa @dunaport | likely
Mihaela Stanciulet #Iași *1980-01-25 | Mihai Stanciulet #Iași *1978-10-03 | different
Gheorghe Ionescu @livadaverde #Brașov | Gheorghe Ionescu @marealba #Constanța | different
Alexandru Tudorachel @banatagri +40256300100 alexandru.t@banatagri.ro | Alexandra Tudorachel @banatagri +40256300100 alexandra.t@banatagri.ro | different
c SC Moldotermic SRL #Bacău ~moldotermic.ro | Moldotermic #Bacau office@moldotermic.ro | certain
c Panificația Doinița SRL #Sibiu ~panidoinita.ro | Panificatia Doinita 2000 SRL #Arad ~doinita2000.ro | different`,
  Hungary: `
Kovácsrévi Gábor @tiszaneten kovacsrevi.gabor@tiszaneten.hu | Gabor Kovacsrevi kovacsrevi.gabor@tiszaneten.hu | certain
Nagyné Szentirmaházi Katalin @pannonbor +36309917254 | Szentirmaházi Katalin +36309917254 | certain
Tóthfalvi Béláné @vaciposta #Vác | Tóthfalvi Béla @vaciposta #Vác | different
dr. Horváth Zoltán @budajog | Zoltan Horvath @budajog #Budapest | likely
Szabadfi István @alfolditej #Szeged *1966-04-08 | ifj. Szabadfi István @alfolditej #Szeged *1992-12-19 | different
Eszter Hollósvári @matraho +3612200300 | Eszter Baranyász @matraho +3612200300 | different
c Nádasparti Hajózó Kft. #Siófok ~nadashajo.hu | Nadasparti Hajozo Zrt #Siofok ~nadashajo.hu | likely
c Zöldkerti Bt. #Pécs | Zöldkerti Faiskola Kft #Győr ~zoldkertifaiskola.hu | different`,
  'South Korea': `
Bang Hyun-soo @haneulsoft hs.bang@haneulsoft.kr | Hyunsu Bang hs.bang@haneulsoft.kr #Seongnam | certain
이도경 @nurigong +821073310948 | Lee Do-kyung @nurigong +821073310948 | certain
Choi Eun-jeong @haeparang | Choe Eunjung @haeparang #Busan | likely
Park Ji-hye @seomedia +8225550100 | Park Ji-hyun @seomedia +8225550100 | different
Kim Ji-young @gangwontrip #Chuncheon | Kim Ji-young @palgongauto #Daegu | different
Jung Sang-hoon @inharbor +82327001000 | Jeong Sang-hun @inharbor +82327001000 | likely
c Baekrimsan Precision Co., Ltd. #Changwon ~baekrimsan.kr | (주)백림산정밀 #Changwon ~www.baekrimsan.kr | certain
c Miraebit Foods #Jeonju ~miraebitfoods.kr | Miraebit Food Machinery #Jeonju ~miraebitfm.kr | different`,
  Egypt: `
Mohamed Abdelrahman Shafeiny @nilegin m.shafeiny@nilegin.com.eg | Mohammed Abd El-Rahman El Shafeiny m.shafeiny@nilegin.com.eg | certain
Yasmin Elgendawy @deltakarton | Yasmine El Gendawy @deltakarton #Tanta | likely
أحمد الدسوقاني @cairotype +201004417823 | Ahmed El Desoukany +201004417823 | certain
Ahmed Hassan @luxornautic #Luxor | Ahmed Hassan @qanalsteel #Suez | different
Hany Mahmoud Farghalawi #Alexandria *1958-06-12 | Mahmoud Hany Farghalawi #Alexandria *1987-03-28 | different
Eng. Tarek Wahbany @qanalsteel +20623300500 | Dr. Tarek Nosseiry @qanalsteel +20623300500 | different
c Al Nouran for Trading #Giza +20235550140 | El-Nouran Import & Export #Alexandria +2034870022 | different
c Sphinxara Ceramics S.A.E. ~sphinxara.eg | Sphinxara Ceramic Co. #Giza ~eg.sphinxara.com | likely`,
}

function factsIn(text: string): Facts {
  const facts: Facts = { name: '', emails: [], phones: [], domains: [] }
  const name: string[] = []
  for (const word of text.trim().split(/\s+/)) {
    const rest = word.slice(1)
    if (word.startsWith('@')) facts.organization = rest
    else if (word.includes('@')) {
      facts.emails.push(word.toLowerCase())
      facts.domains.push(ownDomain(word.split('@')[1]!) ?? '')
    } else if (/^\+\d/.test(word)) facts.phones.push(word)
    else if (word.startsWith('#')) facts.city = rest
    else if (/^\*\d/.test(word)) facts.birthday = rest
    else if (word.startsWith('~')) facts.domains.push(ownDomain(rest) ?? '')
    else name.push(word)
  }
  return { ...facts, domains: facts.domains.filter(Boolean), name: name.join(' ') }
}

export const readPairs = (list: string): Pair[] =>
  list
    .trim()
    .split('\n')
    .map((text) => {
      const isCompany = text.startsWith('c ')
      const [a = '', b = '', expected = ''] = text.replace(/^c /, '').split('|')
      return { a: factsIn(a), b: factsIn(b), isCompany, expected: expected.trim() as Likeness, text }
    })

export const pairs: Pair[] = Object.values(lists).flatMap(readPairs)
