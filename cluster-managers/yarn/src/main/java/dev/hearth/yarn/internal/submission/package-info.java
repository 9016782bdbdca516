/**
 * Submission of an application in cluster mode: what is checked, where its files go, how it is submitted, and how its
 * submitter follows it.
 *
 * <p>Terms. {@code YarnSubmission} is the state machine, NEW, CHECKED, STAGED, SUBMITTED, WATCHED; {@code
 * YarnSubmissionShell} owns it and does its work on threads for blocking calls. Each state can be undone: what is staged is
 * removed, what is submitted is killed. An application has the tag {@code hearth-} and the id of its request, so that it is
 * found again when the answer to its submission is lost. {@code ApplicationFollowing} turns reports of the ResourceManager
 * into the lines of Spark's client, byte for byte, because other software parses them; no line of Hearth contains the word
 * {@code application} followed by an underscore or a digit that is not the application's id.
 *
 * <p>A worked failure. The content store was swept while an application was submitted, and a node does not find a file. The
 * diagnostics name it. The submission forgets what it knows of the store, stages its files again, and submits once more.
 */
@NullMarked
package dev.hearth.yarn.internal.submission;

import org.jspecify.annotations.NullMarked;
