package dev.hearth.engine.internal.serializer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.engine.internal.closure.UserObjectSerializer;
import java.io.Serializable;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Several tasks meet classes while the driver's answer is late. Threads are real; latches arrange the order of events.
 */
class TypeSerializerRegistryTest {
    private static final long BOUND_SECONDS = 20;

    private record Late(int number) implements Serializable {}

    private record Prompt(int number) implements Serializable {}

    /** Delays the answer for one class until it is released. */
    private static final class SlowNumbers implements ClassIds {
        private final ClassIdTable classes = new ClassIdTable();
        private final CountDownLatch asked = new CountDownLatch(2);
        private final CountDownLatch answered = new CountDownLatch(1);

        @Override
        public int number(String entry) {
            if (entry.startsWith(Late.class.getName())) {
                asked.countDown();
                waitFor(answered);
            }
            return classes.number(entry);
        }

        @Override
        public Optional<String> entry(int number) {
            return classes.entry(number);
        }
    }

    private static void waitFor(CountDownLatch latch) {
        try {
            assertTrue(latch.await(BOUND_SECONDS, TimeUnit.SECONDS), "within the bound");
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    @Test
    void doesNotWaitForTheNumberOfAnotherClass() throws Exception {
        SlowNumbers numbers = new SlowNumbers();
        TypeSerializerRegistry serializers = new TypeSerializerRegistry(
                new UserObjectSerializer(TypeSerializerRegistryTest.class.getClassLoader()), numbers);
        CompletableFuture<TypeSerializer> first =
                CompletableFuture.supplyAsync(() -> serializer(serializers, Late.class));
        CompletableFuture<TypeSerializer> second =
                CompletableFuture.supplyAsync(() -> serializer(serializers, Late.class));
        waitFor(numbers.asked); // each task requests the number by itself, so that either can be killed
        TypeSerializer prompt = serializer(serializers, Prompt.class);
        numbers.answered.countDown();
        TypeSerializer late = first.get(BOUND_SECONDS, TimeUnit.SECONDS);
        assertSame(late, second.get(BOUND_SECONDS, TimeUnit.SECONDS));
        assertNotEquals(prompt.code(), late.code());
        assertTrue(List.of(prompt.code(), late.code()).stream().allMatch(code -> code >= TypeTag.CLASS));
        assertEquals(2, serializers.names().size());
    }

    private static TypeSerializer serializer(TypeSerializerRegistry serializers, Class<?> type) {
        return Objects.requireNonNull(serializers.of(type));
    }
}
