/**
 * Settings of applications on YARN, by the part of Hearth that reads them. Each class declares its keys and reads them
 * into a record. {@code hearth.yarn.} precedes all of them but those of Kerberos.
 *
 * <p>Every {@code yarn.*} setting of Spark is in one of these classes, or {@code YarnRefusals} says what to do instead.
 */
@NullMarked
package dev.hearth.yarn.internal.settings;

import org.jspecify.annotations.NullMarked;
