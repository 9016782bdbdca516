/** Connection of bin/submit to the program that launched it. Internal; exports no package. */
@NullMarked
package dev.hearth.launcherlink.internal;

import org.jspecify.annotations.NullMarked;
