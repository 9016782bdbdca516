package dev.hearth.engine.internal.serializer;

import java.util.Optional;

/**
 * Class numbers of one application's records. They are the same in all its processes, because processes read, sort and
 * merge each other's serialised records. Any thread may call; a call may wait for another process.
 */
public interface ClassIds {
    /** The number of an entry: a class name and the fingerprint of its fields. */
    int number(String entry);

    /** The entry of a number; empty if the number was never assigned. */
    Optional<String> entry(int number);
}
