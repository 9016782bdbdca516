/** What code inside a task knows of its task, and may ask of it. Stability: evolving. */
@Export
@Version("0.1.0")
@NullMarked
package dev.hearth.api.task;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
