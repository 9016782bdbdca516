/** The API of applications: contexts and datasets. Depends on the JDK alone. Stability: evolving. */
@Export
@Version("0.1.0")
@NullMarked
package dev.hearth.api;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
