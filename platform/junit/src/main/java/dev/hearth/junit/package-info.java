/** Contexts for the tests of applications, by JUnit Jupiter. Threads: those of the tests. Stability: evolving. */
@NullMarked
package dev.hearth.junit;

import org.jspecify.annotations.NullMarked;
