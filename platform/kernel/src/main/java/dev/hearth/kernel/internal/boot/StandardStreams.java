package dev.hearth.kernel.internal.boot;

import java.io.InputStream;
import java.io.PrintStream;

/**
 * The three standard streams of a process. Only the entry point of the process takes them from {@link System}; other
 * code receives this object.
 */
public record StandardStreams(InputStream in, PrintStream out, PrintStream err) {}
