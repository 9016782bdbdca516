package dev.hearth.standalone.internal.master;

import dev.hearth.standalone.internal.protocol.MasterProtocol.WorkerFull;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Workers on which nothing is placed for a while, because their disks are full. What runs there goes on. Part of the state
 * machine {@link Master}, which owns it.
 */
final class PausedWorkers {
    private final WorkerLedger workers;
    private final EffectList effects;
    private final Map<WorkerRecord, Long> paused = new LinkedHashMap<>(); // with the end of the pause

    PausedWorkers(WorkerLedger workers, EffectList effects) {
        this.workers = workers;
        this.effects = effects;
    }

    /** Pauses a worker from {@code now} on; a further report moves the end of the pause. */
    void pause(WorkerFull message, long peer, long now) {
        workers.find(message.worker(), peer).ifPresent(worker -> {
            if (paused.put(worker, now + Duration.ofMillis(message.forMillis()).toNanos()) == null) {
                effects.add(new MasterEffect.Note(
                        MasterLog.Cause.WORKER,
                        true,
                        "worker " + worker.id() + " gets nothing to run for " + message.forMillis() / 1_000 + " s: "
                                + message.reason()));
            }
            workers.pause(worker, message.reason());
        });
    }

    /** Resumes the workers whose pauses are over. */
    void settle(long now) {
        Iterator<Map.Entry<WorkerRecord, Long>> ends = paused.entrySet().iterator();
        while (ends.hasNext()) {
            Map.Entry<WorkerRecord, Long> end = ends.next();
            if (now - end.getValue() >= 0) {
                ends.remove();
                workers.resume(end.getKey());
            }
        }
    }
}
