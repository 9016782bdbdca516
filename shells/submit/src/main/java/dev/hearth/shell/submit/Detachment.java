package dev.hearth.shell.submit;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.error.PrintableText;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.role.RoleMain.ExitStatus;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Optional;

/**
 * End of the wait for a submission after a signal. Prints that the driver runs on and how to kill it. If the signal was
 * Ctrl-C at a terminal, a second one within {@link #again} kills the driver. {@code submit} is the begin of command lines
 * for the same cluster. Used once, on the thread of the role.
 */
record Detachment(String submit, PrintStream err, boolean terminal, Duration again) {
    /** Time in which a second Ctrl-C kills the driver. It also delays the end of this process. */
    static final Duration AGAIN = Duration.ofSeconds(3);

    /** The begin of a command line for the cluster {@code master}. */
    static String commandFor(MasterUrl master) {
        String url = master.text();
        boolean plain = url.matches("[a-zA-Z0-9:/.,@_-]+");
        return "bin/submit --master " + (plain ? url : "'" + url + "'");
    }

    /** Kills a submission on its cluster and returns its status before. */
    interface Kill {
        SubmissionStatus kill(SubmissionId submission) throws InterruptedException;
    }

    /**
     * Ends the wait for {@code submission}, which is empty as long as the cluster has not accepted it. Returns the exit
     * status of {@code signal}.
     */
    ExitStatus detach(EndSignal signal, Optional<SubmissionId> submission, Interruption signals, Kill cluster)
            throws InterruptedException {
        if (terminal) {
            err.println(); // the terminal has echoed ^C on the line of the cursor
        }
        if (submission.isEmpty()) {
            print("submission: the cluster has not said whether it accepts it; look for it with: " + command("--status")
                    + " '*'");
            return new ExitStatus(signal.exitStatus());
        }
        SubmissionId id = submission.get();
        print(id + " runs on; end it with: " + command("--kill") + " " + id);
        if (terminal && signal == EndSignal.INT) {
            print("press Ctrl-C again within " + again.toSeconds() + " s to end it now");
            if (signals.comesAgain(again)) {
                err.println();
                kill(id, cluster);
            }
        }
        return new ExitStatus(signal.exitStatus());
    }

    private void kill(SubmissionId id, Kill cluster) throws InterruptedException {
        try {
            SubmissionStatus before = cluster.kill(id);
            print(id + ": was " + before.state()
                    + (before.state().isFinal() ? "; nothing to kill" : "; kill requested"));
        } catch (HearthException failure) {
            print("warning: " + id + ": not known whether it was killed: " + failure.getMessage());
        }
    }

    private String command(String flag) {
        return submit + " " + flag;
    }

    private void print(String line) {
        err.println(PrintableText.line(line));
    }
}
