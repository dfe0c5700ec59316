// Address books. Punctuation in headers does not matter.
import { each, type Into, type KnownExports, labels, noField, sameElsewhere } from './known-file.ts'

const ofGoogle: Into = {
  object: 'people',
  columns: {
    ...each('first_name', 'First Name', 'Given Name', 'Middle Name', 'Additional Name'),
    ...each('last_name', 'Last Name', 'Family Name'),
    Name: 'title',
    'Email 1 - Value': 'emails',
    'Phone 1 - Value': 'phones',
    ...each('organization', 'Organization Name', 'Organization 1 - Name'),
    ...each('job_title', 'Organization Title', 'Organization 1 - Title'),
    'Address 1 - City': 'city',
    'Address 1 - Country': 'country',
    Birthday: 'birthday',
    Notes: 'notes_text',
    ...each('tags', 'Labels', 'Group Membership'),
    ...each(labels, 'Email 1 - Label', 'Email 1 - Type', 'Phone 1 - Label', 'Phone 1 - Type'),
    ...each(labels, 'Address 1 - Label', 'Address 1 - Type', 'Website 1 - Label', 'Website 1 - Type'),
    ...each(sameElsewhere, 'File As', 'Address 1 - Formatted'),
    ...each(noField, 'Name Prefix', 'Name Suffix', 'Nickname', 'Organization Department', 'Photo'),
    ...each(noField, 'Phonetic First Name', 'Phonetic Middle Name', 'Phonetic Last Name'),
    ...each(noField, 'Address 1 - Street', 'Address 1 - PO Box', 'Address 1 - Region', 'Address 1 - Postal Code'),
    ...each(noField, 'Address 1 - Extended Address', 'Website 1 - Value'),
  },
}

const ofOutlook: Into = {
  object: 'people',
  columns: {
    ...each('first_name', 'First Name', 'Middle Name'),
    'Last Name': 'last_name',
    'Email Address': 'emails',
    ...each('phones', 'Business Phone', 'Home Phone', 'Mobile Phone', 'Primary Phone', 'Other Phone', 'Car Phone'),
    'Company Main Phone': 'phones',
    Company: 'organization',
    'Job Title': 'job_title',
    ...each('city', 'Business City', 'Home City', 'Other City'),
    ...each('country', 'Business Country/Region', 'Home Country/Region', 'Other Country/Region'),
    Birthday: 'birthday',
    Notes: 'notes_text',
    Categories: 'tags',
    ...each(noField, 'Title', 'Suffix', 'Nickname', 'Department', 'Office Location', 'Web Page', 'Personal Web Page'),
    ...each(noField, 'Business Street', 'Business State', 'Business Postal Code', 'Business Fax', 'Anniversary'),
    ...each(noField, 'Home Street', 'Home State', 'Home Postal Code', 'Home Fax', 'Spouse', 'Schools', 'Hobby'),
    ...each(noField, 'Other Street', 'Other State', 'Other Postal Code', 'Other Fax', 'Location', 'Pager'),
    ...each(noField, "Manager's Name", "Assistant's Name", "Assistant's Phone", 'IMAddress'),
  },
}

export const google: KnownExports = {
  system: 'Google Contacts',
  files: [{ signs: [/^(E-mail|Phone) 1 - (Value|Label|Type)$/], into: [ofGoogle] }],
}

export const outlook: KnownExports = {
  system: 'Outlook',
  files: [{ signs: [/^E-mail Address$/, /^(Business|Home) (Street|Phone|City)$/], into: [ofOutlook] }],
}
