/** Tests of the assembled distribution in real processes, including faults. */
@NullMarked
package dev.hearth.itests.endtoend;

import org.jspecify.annotations.NullMarked;
