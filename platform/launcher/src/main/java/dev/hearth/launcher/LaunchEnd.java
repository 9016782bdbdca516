package dev.hearth.launcher;

import java.util.OptionalInt;

/**
 * The end of a launched application. {@code state} is the last state. {@code exitStatus} is the exit status of the process
 * that was started; empty if that process may still run. If the application failed, {@code code} is the error code, such
 * as {@code TASK_FAILED}, and {@code message} one line about the cause; both are empty if they are unknown.
 */
public record LaunchEnd(LaunchState state, OptionalInt exitStatus, String code, String message) {}
