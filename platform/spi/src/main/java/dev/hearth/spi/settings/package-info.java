/**
 * Typed settings, each with its origin, such as a file and line.
 * <p>A module declares each setting as a {@code SettingKey} and publishes its keys as a {@code SettingsGroup} service,
 * from which docs/configuration.md and {@code hearth:conf} are made. It reads its values once, into a record, with a
 * {@code SettingsReader}; the reader reports all invalid values together, each with its origin.
 * <p>Roles combine flags, files and the environment into {@code Settings} with {@code SettingsSources}. Spark's keys
 * ({@code spark.x}) are aliases of {@code hearth.x}. The kernel implements {@code DeclaredSettings} and warns of
 * unknown keys.
 * <p>Threads: {@code Settings} and {@code SettingKey} are immutable; readers and sources are for one thread each.
 * Stability: evolving.
 */
@Export
@Version("0.1.0")
@NullMarked
package dev.hearth.spi.settings;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
