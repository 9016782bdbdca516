/** The role {@code submit} of the command bin/submit. Internal; exports no package. */
@NullMarked
package dev.hearth.shell.submit;

import org.jspecify.annotations.NullMarked;
