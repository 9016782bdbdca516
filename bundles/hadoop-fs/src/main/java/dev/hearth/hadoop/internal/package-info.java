/**
 * File stores over Hadoop's file systems (ADR 0073), and the formats of {@code dev.hearth.hadoop}.
 * <p>{@code HadoopFileStores} opens a {@code HadoopFileStore} for each application and scheme, which keeps one file
 * system of Hadoop for each authority. Each call goes through {@code HadoopCall}: under Hadoop's class loader, with
 * failures that {@code HadoopErrors} has translated.
 */
@NullMarked
package dev.hearth.hadoop.internal;

import org.jspecify.annotations.NullMarked;
