package dev.hearth.engine.internal.serializer;

import java.util.Optional;

/**
 * Class numbers of one application: in serialised records, a number stands for the name of a class. The numbers are the
 * same in all processes of the application, because processes read, sort and merge each other's records. Any thread may
 * call; a call may wait for another process.
 */
public interface ClassIds {
    /**
     * Returns the number that stands for {@code entry}, a class name with a fingerprint of the fields, in records. A
     * new entry gets a new number.
     */
    int number(String entry);

    /**
     * Returns the entry (class name and fingerprint) that has {@code number}; empty if the number was never assigned.
     */
    Optional<String> entry(int number);
}
