package dev.hearth.api.function;

import dev.hearth.api.HearthException;

/** Compares elements by a key: the result of {@link OrderFunction#comparing}. */
record KeyOrder<T, U extends Comparable<? super U>>(MapFunction<? super T, ? extends U> key)
        implements OrderFunction<T> {
    @Override
    public int compare(T left, T right) {
        U one = key(left);
        U other = key(right);
        return one == null || other == null ? Boolean.compare(one != null, other != null) : one.compareTo(other);
    }

    private U key(T element) {
        try {
            return key.apply(element);
        } catch (RuntimeException thrown) {
            throw thrown;
        } catch (Exception thrown) {
            throw new HearthException(
                    "TASK_FAILED", "function given to OrderFunction.comparing: threw " + thrown, thrown);
        }
    }
}
