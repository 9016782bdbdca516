package dev.hearth.kernel.internal.boot;

import java.io.InputStream;
import java.io.PrintStream;

/** The three streams of a process; only its entry point takes them from the system. */
public record StandardStreams(InputStream in, PrintStream out, PrintStream err) {}
