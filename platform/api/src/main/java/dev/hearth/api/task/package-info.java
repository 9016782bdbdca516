/** The context and metrics of a task, for code that runs inside it. Stability: evolving. */
@Export
@Version("0.1.0")
@NullMarked
package dev.hearth.api.task;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
