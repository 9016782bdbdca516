/** The role of bin/submit. Internal; exports nothing. */
@NullMarked
package dev.hearth.shell.submit;

import org.jspecify.annotations.NullMarked;
