/** Resource profiles: the executors and the tasks that the stages of a dataset need. Stability: evolving. */
@Export
@Version("0.1.0")
@NullMarked
package dev.hearth.api.resource;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
