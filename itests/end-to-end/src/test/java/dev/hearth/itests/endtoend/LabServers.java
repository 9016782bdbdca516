package dev.hearth.itests.endtoend;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Servers of the laboratory that a test class wants: with a node, or without; and further flags of theirs. */
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@interface LabServers {
    /** Whether there is a node that has the image of the distribution; otherwise pods are created and never run. */
    boolean node() default true;

    String apiServer() default "";

    String controllers() default "";

    String kubelet() default "";
}
