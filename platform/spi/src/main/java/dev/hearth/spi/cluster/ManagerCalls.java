package dev.hearth.spi.cluster;

import dev.hearth.spi.id.SubmissionId;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Client of a cluster whose requests are calls of its manager. Stateless. */
record ManagerCalls(ClusterManager manager, MasterUrl master, SubmissionServices services) implements ClusterClient {
    /** Listener for submissions that no front end follows. */
    private static final SubmissionListener NOBODY = new SubmissionListener() {
        @Override
        public void changed(SubmissionStatus status) {
            // the front end asks for the status when it needs it
        }

        @Override
        public void lost(String reason) {
            // the next question about the submission reports the loss
        }
    };

    @Override
    public CompletionStage<SubmissionId> submit(SubmissionPlan plan) {
        return manager.submit(plan, master, services, NOBODY);
    }

    @Override
    public CompletionStage<List<SubmissionStatus>> status(SubmissionPattern pattern) {
        return manager.status(pattern, master, services);
    }

    @Override
    public CompletionStage<List<SubmissionStatus>> kill(SubmissionPattern pattern) {
        return manager.kill(pattern, master, services);
    }

    @Override
    public CompletionStage<Integer> clear() {
        return manager.clear(master, services);
    }

    @Override
    public void close() {
        // the services belong to the creator of this client
    }
}
