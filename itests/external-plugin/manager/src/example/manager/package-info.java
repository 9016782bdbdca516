/** A cluster manager for {@code example://cores/N}, as anybody could write it. */
package example.manager;
