/** The process behind bin/submit. Internal: found as a role, exported to nobody. */
@NullMarked
package dev.hearth.shell.submit;

import org.jspecify.annotations.NullMarked;
