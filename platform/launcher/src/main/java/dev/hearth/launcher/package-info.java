/**
 * Starts applications from other Java programs and follows them: in a process of their own, in this process, or on a
 * cluster by its submission protocol. Depends on the JDK alone. Stability: evolving.
 */
@Export
@Version("0.1.0")
@NullMarked
package dev.hearth.launcher;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
