package dev.hearth.itests.endtoend;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Mark of test classes that need the real Kubernetes of the profile {@code kubernetes}. */
@Inherited
@Timeout(300)
@EnabledIfSystemProperty(named = "hearth.kubernetes", matches = "true")
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@interface OnKubernetes {}
