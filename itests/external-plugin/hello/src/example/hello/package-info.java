/** A command for the shell, as anybody could write it. */
package example.hello;
