package dev.hearth.yarn.internal.hadoop;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.reflect.UndeclaredThrowableException;
import java.security.PrivilegedExceptionAction;
import org.apache.hadoop.security.UserGroupInformation;

/** Calls of Hadoop as a user. Stateless. */
public final class UserCall {
    private UserCall() {}

    /** Calls {@code action} as {@code user}. Exceptions of Hadoop that are not of input and output become such. */
    public static <T> T as(UserGroupInformation user, PrivilegedExceptionAction<T> action) throws IOException {
        try {
            return user.doAs(action);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            InterruptedIOException failure = new InterruptedIOException("a call of Hadoop was interrupted");
            failure.initCause(interrupted);
            throw failure;
        } catch (UndeclaredThrowableException wrapped) {
            Throwable cause = wrapped.getCause() == null ? wrapped : wrapped.getCause();
            throw new IOException(cause.getMessage(), cause);
        }
    }
}
