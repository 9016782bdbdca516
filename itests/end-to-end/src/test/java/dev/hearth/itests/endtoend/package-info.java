/** The assembled distribution, started, used and hurt the way its users would. */
@NullMarked
package dev.hearth.itests.endtoend;

import org.jspecify.annotations.NullMarked;
