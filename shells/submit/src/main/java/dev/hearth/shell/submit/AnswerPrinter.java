package dev.hearth.shell.submit;

import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.SubmissionPattern;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.error.PrintableText;
import java.io.PrintStream;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;

/**
 * Prints what {@code --status} and {@code --kill} found: lines for people, the JSON of bin/submit, or the JSON of Spark's
 * clients. Only answers go to {@code out}. Used by one thread.
 */
record AnswerPrinter(PrintStream out, PrintStream err, Form form, SubmissionPattern asked, String version) {
    /** Form of the answers. */
    enum Form {
        LINES,
        JSON,
        SPARK,
        /** The lines that the cluster manager says, of which the caller takes care. */
        OWN;

        /** {@code own} says whether the manager has lines of its own. */
        static Form of(SubmitStyle style, boolean json, boolean own) {
            if (json) {
                return JSON;
            }
            return style != SubmitStyle.SPARK ? LINES : own ? OWN : SPARK;
        }
    }

    /** Prints what is requested, in the words of Spark's client; nothing in other forms. */
    void request(String what, MasterUrl master) {
        if (form == Form.SPARK) {
            err.println(PrintableText.line(
                    "Submitting a request " + what + " submission " + asked + " in " + master.text() + "."));
        }
    }

    void status(List<SubmissionStatus> found) {
        switch (form) {
            case JSON -> json(found);
            case SPARK -> found.forEach(status -> out.println(SparkJson.status(status, version)));
            case LINES -> {
                SubmissionReport report = new SubmissionReport(ZoneId.systemDefault());
                for (SubmissionStatus status : found) {
                    List<String> lines = asked.single().isPresent()
                            ? report.linesOf(status, Instant.now())
                            : List.of(report.lineOfMany(status));
                    lines.forEach(line -> out.println(PrintableText.line(line)));
                }
            }
            case OWN -> {
                // said by the manager
            }
        }
    }

    /** Prints the states that submissions had before the request to kill them. */
    void kill(List<SubmissionStatus> before) {
        switch (form) {
            case JSON -> json(before);
            case SPARK -> before.forEach(this::killed);
            case LINES ->
                before.forEach(status -> out.println(status.submission() + ": was " + status.state()
                        + (status.state().isFinal() ? "; nothing to kill" : "; kill requested")));
            case OWN -> {
                // said by the manager
            }
        }
    }

    private void killed(SubmissionStatus before) {
        String id = before.submission().value();
        boolean killed = !before.state().isFinal();
        String message = killed
                ? "Kill request for " + id + " submitted"
                : "Driver " + id + " has already finished or does not exist";
        err.println(killed ? id + " is killed successfully." : "Error: " + message);
        out.println(SparkJson.kill(id, killed, message, version));
    }

    /** Prints that the cluster does not know what is asked for, if the form has words for that. */
    void unknownStatus() {
        if (form == Form.SPARK) {
            out.println(SparkJson.unknown(asked.text(), version));
        }
    }

    /** As {@link #unknownStatus}, for a request to kill. */
    void unknownKill() {
        if (form == Form.SPARK) {
            out.println(SparkJson.kill(
                    asked.text(), false, "Driver " + asked + " has already finished or does not exist", version));
        }
    }

    private void json(List<SubmissionStatus> found) {
        out.println(asked.single().isPresent() ? SubmissionJson.object(found.get(0)) : SubmissionJson.array(found));
    }
}
