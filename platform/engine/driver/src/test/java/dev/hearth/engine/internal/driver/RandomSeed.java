package dev.hearth.engine.internal.driver;

import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import net.jqwik.api.AfterFailureMode;
import net.jqwik.api.lifecycle.AroundPropertyHook;
import net.jqwik.api.lifecycle.PropertyAttributes;
import net.jqwik.api.lifecycle.PropertyExecutionResult;
import net.jqwik.api.lifecycle.PropertyExecutor;
import net.jqwik.api.lifecycle.PropertyLifecycleContext;

/**
 * Where all that a run of properties draws comes from: a fresh number, or {@code hearth.operations.seed}. Whoever fails says how to
 * see it again. {@code hearth.operations.tries} asks for so many tries of a property, in proportion of those with a number of their
 * own.
 */
public final class RandomSeed implements AroundPropertyHook {
    private static final int TRIES = 40;
    private static final int ASKED = Integer.getInteger("hearth.operations.tries", TRIES);
    private static final long SEED =
            Long.getLong("hearth.operations.seed", ThreadLocalRandom.current().nextLong(Integer.MAX_VALUE));

    /** What makes a run the same as this one. */
    static String settings() {
        return "-Dhearth.operations.seed=" + SEED + " -Dhearth.operations.tries=" + ASKED;
    }

    @Override
    public PropertyExecutionResult aroundProperty(PropertyLifecycleContext context, PropertyExecutor property) {
        PropertyAttributes attributes = context.attributes();
        attributes.setSeed(String.valueOf(SEED));
        attributes.setTries(Math.max(1, attributes.tries().orElse(TRIES) * ASKED / TRIES));
        attributes.setAfterFailure(AfterFailureMode.RANDOM_SEED); // nothing is remembered of runs before
        PropertyExecutionResult result = property.execute();
        Optional<Throwable> failure = result.throwable();
        if (result.status() != PropertyExecutionResult.Status.FAILED || failure.isEmpty()) {
            return result;
        }
        String name = context.containerClass().getSimpleName() + "#"
                + context.targetMethod().getName();
        String line = "replay with " + OperationsFixture.replay(name);
        System.out.println(line);
        return result.mapToFailed(new AssertionError(failure.get() + "; " + line, failure.get()));
    }
}
