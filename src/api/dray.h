#ifndef DRAY_SRC_API_DRAY_H_
#define DRAY_SRC_API_DRAY_H_

/* The engine's C facade: the one door between the engine (C++20, today's library ABI) and
 * everything that is compiled otherwise. Plain data alone goes through it. */

#ifdef __cplusplus
extern "C" {
#endif

#define DRAY_EXPORT __attribute__((visibility("default")))

/* 0: done. 1: the run failed. 2: wrong usage. The message of a failure is dray_last_error(). */
typedef int dray_status;

/* One line that says what went wrong in this thread's last call; valid until the next call. */
DRAY_EXPORT const char* dray_last_error(void);

/* The commands. Arguments are given without the program's name; output goes to standard output. */
DRAY_EXPORT dray_status dray_train(int argc, const char* const* argv);
DRAY_EXPORT dray_status dray_evaluate(int argc, const char* const* argv);
DRAY_EXPORT dray_status dray_solve(int argc, const char* const* argv);
DRAY_EXPORT dray_status dray_train_oracle(int argc, const char* const* argv);

#ifdef __cplusplus
}
#endif

#endif /* DRAY_SRC_API_DRAY_H_ */
