package dev.hearth.spi.rpc;

import dev.hearth.spi.id.IdSyntax;
import dev.hearth.spi.net.Bytes;
import java.lang.invoke.MethodHandles;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The messages of one conversation: records with fixed numbers. Nothing else can be sent to or come out of an endpoint.
 * <p>Both directions and all replies stand in one protocol. A number is never used again for another record; components
 * are only added at the end of a record, constants only at the end of an enum; neither is ever removed or moved. What
 * components may hold, and what they read as when the sender did not know them, stands at {@link Builder#message}.
 */
public final class Protocol {
    private final String name;
    private final MethodHandles.Lookup access;
    private final Map<Integer, Class<? extends Record>> byNumber;

    private Protocol(Builder builder) {
        this.name = builder.name;
        this.access = builder.access;
        this.byNumber = Collections.unmodifiableMap(new LinkedHashMap<>(builder.byNumber));
    }

    /** Begins a protocol whose records {@code access} may see; pass {@code MethodHandles.lookup()}. */
    public static Builder named(String name, MethodHandles.Lookup access) {
        return new Builder(name, access);
    }

    public String name() {
        return name;
    }

    /** The right to build and read the records, for codecs only. */
    public MethodHandles.Lookup access() {
        return access;
    }

    public Map<Integer, Class<? extends Record>> byNumber() {
        return byNumber;
    }

    public boolean holds(Class<?> type) {
        return byNumber.containsValue(type);
    }

    @Override
    public String toString() {
        return "protocol " + name;
    }

    /** Collects the records of a protocol. */
    public static final class Builder {
        private final String name;
        private final MethodHandles.Lookup access;
        private final Map<Integer, Class<? extends Record>> byNumber = new LinkedHashMap<>();

        private Builder(String name, MethodHandles.Lookup access) {
            this.name = IdSyntax.require("protocol", name);
            this.access = access;
        }

        /**
         * Adds a message. Components of its record are of the eight primitive types, {@code String}, {@link Bytes}, enums,
         * {@code Duration Instant OptionalInt OptionalLong}, records of such components, so also ids, and {@code List},
         * {@code Optional} and {@code Map} of all these, boxed there and only there. For a set send a {@code List}: it has
         * an order, and its reader decides what twice the same means. Lists and maps arrive in the order they were sent
         * in, and cannot be changed. A record may hold itself only in one of the three.
         * <p>A {@code float} and a {@code double} arrive bit by bit, a NaN too, and a {@code char} as it is, also half a
         * surrogate pair, which in a {@code String} becomes a question mark.
         * <p>A component that the sender did not know reads as false, zero, empty, the epoch, or the first constant of an
         * enum, as does a constant not known here; a {@code char} as {@code '\0'}; a nested record that is missing reads as
         * one whose components are all missing, which its constructor may refuse.
         */
        public Builder message(int number, Class<? extends Record> type) {
            if (number < 1 || byNumber.containsKey(number) || byNumber.containsValue(type)) {
                throw new IllegalArgumentException("protocol " + name + ": " + number + " for " + type.getSimpleName()
                        + " (expected: each number from 1 and each record once)");
            }
            byNumber.put(number, type);
            return this;
        }

        public Protocol build() {
            return new Protocol(this);
        }
    }
}
