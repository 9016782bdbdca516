package dev.hearth.spi.rpc;

import dev.hearth.spi.id.IdSyntax;
import dev.hearth.spi.net.Bytes;
import java.lang.invoke.MethodHandles;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Closed set of records with fixed numbers: all messages that an endpoint accepts, and all its answers. Immutable.
 * <p>For compatibility, a number is never reused for another record. Components of records and constants of enums are
 * added only at the end, and never removed or moved. {@link Builder#message} lists the component types, and the default
 * of a component that an older sender does not know.
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

    /**
     * Starts a protocol named {@code name}. {@code access} must have access to its records: pass {@code
     * MethodHandles.lookup()} of their class.
     */
    public static Builder named(String name, MethodHandles.Lookup access) {
        return new Builder(name, access);
    }

    public String name() {
        return name;
    }

    /**
     * The {@code MethodHandles.Lookup} with which codecs access the records of this protocol; other callers must not
     * use it.
     */
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

    /** Builder of a protocol: adds its messages, each with a fixed number. */
    public static final class Builder {
        private final String name;
        private final MethodHandles.Lookup access;
        private final Map<Integer, Class<? extends Record>> byNumber = new LinkedHashMap<>();

        private Builder(String name, MethodHandles.Lookup access) {
            this.name = IdSyntax.require("protocol", name);
            this.access = access;
        }

        /**
         * Adds a message. Component types are the eight primitives, {@code String}, {@link Bytes}, enums,
         * {@code Duration Instant OptionalInt OptionalLong}, records of these (so also ids), and {@code List},
         * {@code Optional} and {@code Map} of all these with boxed primitives. Sets are not supported: send a
         * {@code List} instead, so that the reader decides how to treat duplicates. Lists and maps keep their order and
         * arrive unmodifiable. A record may contain itself only inside a {@code List}, {@code Optional} or {@code Map}.
         * <p>A {@code float}, {@code double} (including NaN) and {@code char} arrive with exactly the same bits. An
         * unpaired surrogate is kept in a {@code char} but becomes a question mark in a {@code String}.
         * <p>A component that an older sender does not know reads as false, zero, {@code '\0'}, empty, the epoch, or
         * the first constant of an enum. An unknown constant also reads as the first one. A missing nested record is
         * created from the defaults of its components, which its constructor may reject.
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
