/** Small applications, to run and to read. */
package dev.hearth.examples;
