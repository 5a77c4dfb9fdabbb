/** Addresses of experiments: most are in the view of experiments, some have a view of their own. */
import { href } from "/page/address.js";

/** The prefix of form fields in the address. */
export const FIELD = "f.";

/** The experiments with a view of their own, which has their name. */
const OWN_VIEW = ["training"];

const asText = (value) => (value === null || value === undefined ? "" : String(value));

/** The values of a form as keys of the address. @param {Object<string, string>} fields */
export function asFields(fields) {
  return Object.fromEntries(Object.entries(fields ?? {}).map(([key, value]) => [FIELD + key, asText(value)]));
}

/** The keys of all fields of an experiment, without values. @param {Object} experiment */
export function noFields({ fields }) {
  return Object.fromEntries(fields.map(({ name }) => [FIELD + name, null]));
}

/** The address of a form. @param {string} verb @param {Object<string, string>} [fields] */
export function formAddress(verb, fields) {
  const place = OWN_VIEW.includes(verb) ? { view: verb } : { view: "experiments", verb };
  return href({ ...place, ...asFields(fields) }, {});
}

/** The address of a job. @param {{id: string, verb: string}} job */
export function jobAddress({ id, verb }) {
  return href({ view: OWN_VIEW.includes(verb) ? verb : "experiments", job: id }, {});
}
