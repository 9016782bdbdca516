package dev.hearth.itests.simulation;

import dev.hearth.spi.cluster.ClusterClient;
import dev.hearth.spi.cluster.ContentPiece;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.SubmissionServices;
import dev.hearth.spi.cluster.UploadStatus;
import dev.hearth.spi.cluster.UploadStatus.Stage;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.stream.ContentId;
import dev.hearth.standalone.internal.client.StandaloneManager;
import dev.hearth.testkit.SimulatedProcess;
import dev.hearth.testkit.Simulation;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.Function;

/**
 * Client that sends a file in pieces through a process that passes them on to the master, and that ends now and then. The
 * client goes on where the file stands.
 */
final class RelayedUpload {
    private static final int PIECE = 9_000;
    private static final Duration PAUSE = Duration.ofMillis(500);

    private final Simulation simulation;
    private final MasterUrl master;
    private final Function<SimulatedProcess, SubmissionServices> services;
    private final byte[] file;
    private final ContentId content;
    private SimulatedProcess serve;
    private ClusterClient client;
    private int life;
    private long bytesSent;
    private boolean done;

    RelayedUpload(
            Simulation simulation,
            String process,
            MasterUrl master,
            Function<SimulatedProcess, SubmissionServices> services,
            byte[] file) {
        this.simulation = simulation;
        this.master = master;
        this.services = services;
        this.file = file;
        MessageDigest digest = ContentId.digest();
        digest.update(file);
        this.content = ContentId.of(digest);
        this.serve = simulation.process(process);
        this.client = open();
        look(life);
    }

    private ClusterClient open() {
        return new StandaloneManager().client(master, services.apply(serve));
    }

    /** Ends the process in between, unless it has ended, and starts it again after {@code pause}. */
    void crash(Duration pause) {
        if (!serve.alive()) {
            return;
        }
        life++;
        serve.crash();
        simulation.schedule(pause, () -> {
            serve = serve.restart();
            client = open();
            look(life);
        });
    }

    private void look(int of) {
        if (of == life && !done) {
            client.held(content).whenComplete((held, failure) -> answered(of, held, failure != null));
        }
    }

    private void answered(int of, UploadStatus held, boolean failed) {
        if (of != life || done) {
            return;
        }
        if (failed) {
            simulation.schedule(PAUSE, () -> look(of));
        } else if (held.stage() == Stage.HELD || held.stage() == Stage.COMPLETED) {
            done = true;
        } else {
            int from = (int) held.bytes();
            int until = Math.min(file.length, from + PIECE);
            bytesSent += until - from;
            Bytes bytes = Bytes.owning(Arrays.copyOfRange(file, from, until));
            client.take(new ContentPiece(content, file.length, from, bytes))
                    .whenComplete((next, failure) -> answered(of, next, failure != null));
        }
    }

    ContentId content() {
        return content;
    }

    boolean isDone() {
        return done;
    }

    long bytesSent() {
        return bytesSent;
    }
}
