/**
 * Command lines, submissions, and the execution of an application in this process.
 * <p>Front ends ({@code bin/submit}, a future REST server) parse a command line with {@code SubmitArguments} into a
 * {@code SubmissionRequest} and handle each kind of request. In client mode, and in the role {@code driver}, an {@code
 * ApplicationRunner} runs the application's main method in this process.
 * <p>Threads: parsing is for one thread. {@code ApplicationRunner.run} blocks until the application has ended; {@code
 * stop} may be called from any thread. Stability: evolving.
 */
@Export
@Version("0.1.0")
@NullMarked
package dev.hearth.submission.api;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
