package dev.hearth.kubernetes.internal.executors;

import dev.hearth.kubernetes.internal.api.Answer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Pods that get a new owner, a few at a time. A state machine without a clock, owned by {@link KubernetesBackend}. A request
 * that fails is repeated twice; a pod that stays without its owner ends with its driver's connection.
 */
final class Adoption {
    /** Maximum number of requests under way. */
    static final int PARALLEL_MAX = 8;

    private static final int ATTEMPTS_MAX = 3;

    private final Deque<String> waiting = new ArrayDeque<>();
    private final Map<String, Integer> attempts = new LinkedHashMap<>();
    private int underWay;

    /** Begins with {@code pods}, and forgets what was left of an earlier adoption; returns the pods to patch now. */
    List<String> begin(Collection<String> pods) {
        waiting.clear();
        attempts.clear();
        waiting.addAll(pods);
        return next();
    }

    /** Handles the answer for {@code pod}; returns the pods to patch now. */
    List<String> answered(String pod, Answer answer) {
        underWay--;
        boolean again = answer instanceof Answer.Unknown
                || (answer instanceof Answer.Refused refused && refused.kind().isTransient());
        if (again && attempts.merge(pod, 1, Integer::sum) < ATTEMPTS_MAX) {
            waiting.addLast(pod);
        }
        return next();
    }

    /** Words for the user about an answer that repeats for all pods. */
    static Optional<String> problem(Answer answer) {
        return answer instanceof Answer.Refused refused && !refused.kind().isTransient()
                ? Optional.of(refused.words())
                : Optional.empty();
    }

    private List<String> next() {
        List<String> pods = new ArrayList<>();
        while (underWay < PARALLEL_MAX && !waiting.isEmpty()) {
            pods.add(waiting.removeFirst());
            underWay++;
        }
        return pods;
    }
}
