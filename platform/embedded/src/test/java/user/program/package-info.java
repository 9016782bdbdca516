/** Applications that tests run in this process. */
@NullMarked
package user.program;

import org.jspecify.annotations.NullMarked;
