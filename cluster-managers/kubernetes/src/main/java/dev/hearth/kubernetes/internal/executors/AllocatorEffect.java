package dev.hearth.kubernetes.internal.executors;

import dev.hearth.kubernetes.internal.volumes.VolumeEffect;
import dev.hearth.spi.cluster.LostExecutor;
import dev.hearth.spi.cluster.ProfileId;
import dev.hearth.spi.error.ErrorCode;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Effect of an event on a {@link PodAllocator}. Executors are named by their numbers. Immutable. */
sealed interface AllocatorEffect {
    void perform(Handler handler);

    /**
     * Sends the request for the pod of an executor; the same request if it was sent before. {@code claims} has the names of
     * its claims by volume.
     */
    record CreatePod(long executor, ProfileId profile, Map<String, String> claims) implements AllocatorEffect {
        public CreatePod {
            claims = Collections.unmodifiableMap(new LinkedHashMap<>(claims));
        }

        @Override
        public void perform(Handler handler) {
            handler.onCreatePod(this);
        }
    }

    /** Reads the pod of an executor, which no list and no watch has reported. */
    record ReadPod(long executor) implements AllocatorEffect {
        @Override
        public void perform(Handler handler) {
            handler.onReadPod(this);
        }
    }

    /** Deletes the pods of these executors by one request. */
    record DeletePods(List<Long> executors) implements AllocatorEffect {
        public DeletePods {
            executors = List.copyOf(executors);
        }

        @Override
        public void perform(Handler handler) {
            handler.onDeletePods(this);
        }
    }

    /** Sends a request about claims of volumes. */
    record OfVolumes(VolumeEffect effect) implements AllocatorEffect {
        @Override
        public void perform(Handler handler) {
            handler.onVolumes(this);
        }
    }

    /** Deletes all pods of the application, and their claims. */
    record DeleteAllPods() implements AllocatorEffect {
        @Override
        public void perform(Handler handler) {
            handler.onDeleteAllPods(this);
        }
    }

    /** Sets labels of the pod of an executor, for those who watch pods; nothing depends on it. */
    record LabelPod(long executor, Map<String, String> labels) implements AllocatorEffect {
        public LabelPod {
            labels = Map.copyOf(labels);
        }

        @Override
        public void perform(Handler handler) {
            handler.onLabelPod(this);
        }
    }

    record Started(long executor, ProfileId profile, String node) implements AllocatorEffect {
        @Override
        public void perform(Handler handler) {
            handler.onStarted(this);
        }
    }

    record Leaving(long executor, String reason, Duration within) implements AllocatorEffect {
        @Override
        public void perform(Handler handler) {
            handler.onLeaving(this);
        }
    }

    record Lost(long executor, LostExecutor why) implements AllocatorEffect {
        @Override
        public void perform(Handler handler) {
            handler.onLost(this);
        }
    }

    /** Reports why no executors start; an empty reason says that they start again. */
    record Hindered(String reason) implements AllocatorEffect {
        @Override
        public void perform(Handler handler) {
            handler.onHindered(this);
        }
    }

    /** Ends the application, because the cluster supplies no more executors. */
    record GiveUp(ErrorCode code, String reason) implements AllocatorEffect {
        @Override
        public void perform(Handler handler) {
            handler.onGiveUp(this);
        }
    }

    /** Calls {@link PodAllocator#wake} after a delay. */
    record Wake(Duration after) implements AllocatorEffect {
        @Override
        public void perform(Handler handler) {
            handler.onWake(this);
        }
    }

    /** All pods and claims are deleted, as far as the API server answered. */
    record Closed() implements AllocatorEffect {
        @Override
        public void perform(Handler handler) {
            handler.onClosed(this);
        }
    }

    interface Handler { // without default methods, so that a handler must implement each new effect to compile
        void onCreatePod(CreatePod effect);

        void onVolumes(OfVolumes effect);

        void onReadPod(ReadPod effect);

        void onDeletePods(DeletePods effect);

        void onDeleteAllPods(DeleteAllPods effect);

        void onLabelPod(LabelPod effect);

        void onStarted(Started effect);

        void onLeaving(Leaving effect);

        void onLost(Lost effect);

        void onHindered(Hindered effect);

        void onGiveUp(GiveUp effect);

        void onWake(Wake effect);

        void onClosed(Closed effect);
    }
}
