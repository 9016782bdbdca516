package dev.hearth.kernel.internal.boot;

import java.io.InputStream;
import java.io.PrintStream;

/** The three standard streams of a process; only its entry point takes them from {@link System}. */
public record StandardStreams(InputStream in, PrintStream out, PrintStream err) {}
