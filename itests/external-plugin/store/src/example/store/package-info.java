/** A file store outside of the build of Hearth: stores files on this machine, each byte inverted. */
package example.store;
