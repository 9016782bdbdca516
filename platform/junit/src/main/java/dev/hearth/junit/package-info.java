/** Opens contexts for JUnit Jupiter tests of applications, on the threads of the tests. Stability: evolving. */
@NullMarked
package dev.hearth.junit;

import org.jspecify.annotations.NullMarked;
