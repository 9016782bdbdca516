/** From command lines to submissions, and applications run in this process. For front ends. Stability: evolving. */
@Export
@Version("0.1.0")
@NullMarked
package dev.hearth.submission.api;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
