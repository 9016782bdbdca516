package dev.hearth.engine.internal.driver.session;

import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import net.jqwik.api.AfterFailureMode;
import net.jqwik.api.lifecycle.AroundPropertyHook;
import net.jqwik.api.lifecycle.PropertyAttributes;
import net.jqwik.api.lifecycle.PropertyExecutionResult;
import net.jqwik.api.lifecycle.PropertyExecutor;
import net.jqwik.api.lifecycle.PropertyLifecycleContext;

/**
 * The seed of a run of property tests: a new number, or {@code hearth.operations.seed}. A failure prints how to
 * reproduce it. {@code hearth.operations.tries} sets the tries of a property, and scales those of properties with a
 * number of their own.
 */
public final class RandomSeed implements AroundPropertyHook {
    private static final int TRIES = 40;
    private static final int ASKED = Integer.getInteger("hearth.operations.tries", TRIES);
    private static final long SEED =
            Long.getLong("hearth.operations.seed", ThreadLocalRandom.current().nextLong(Integer.MAX_VALUE));

    /** The settings that reproduce this run. */
    static String settings() {
        return "-Dhearth.operations.seed=" + SEED + " -Dhearth.operations.tries=" + ASKED;
    }

    @Override
    public PropertyExecutionResult aroundProperty(PropertyLifecycleContext context, PropertyExecutor property) {
        PropertyAttributes attributes = context.attributes();
        attributes.setSeed(String.valueOf(SEED));
        attributes.setTries(Math.max(1, attributes.tries().orElse(TRIES) * ASKED / TRIES));
        attributes.setAfterFailure(AfterFailureMode.RANDOM_SEED); // runs are independent of earlier ones
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
