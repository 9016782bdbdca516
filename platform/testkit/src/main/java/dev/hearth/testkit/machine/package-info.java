/** What tests do with the machine they run on: commands, processes, small disks, networks, waiting. Stability: evolving. */
@Export
@Version("0.1.0")
@NullMarked
package dev.hearth.testkit.machine;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
